import pytest

from ludus.agents.agent import agent_from
from ludus.net.remote import Remote, remote_spec


@pytest.mark.parametrize(
    ("name", "client"),
    [
        ("anna", "anna"),
        ("Anna B: third try", "Anna B: third try"),
        ("a=b,c/d", "a_b_c_d"),
        (" bot.py\n", "bot_py_"),
        ("", "unknown"),
    ],
)
def test_every_name_of_a_client_has_a_spec_that_can_be_read(name: str, client: str) -> None:
    agent = agent_from(remote_spec(name))
    assert isinstance(agent, Remote)
    assert agent.client == client
