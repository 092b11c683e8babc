"""The crowd at a port: limits of connections, wrong keys, addresses."""

from ludus.net.crowd import Brake, Caps, Crowd, address_of


def test_connections_beyond_a_limit_are_refused_and_far_beyond_it_dropped() -> None:
    crowd = Crowd(Caps(connections=5, per_address=2))
    assert [crowd.enter("anna") for _ in range(5)] == [True] * 4 + [False]
    assert "from one address" in crowd.refusal("anna")
    crowd.leave("anna")
    crowd.leave("anna")
    assert crowd.enter("bob")
    assert (bool(crowd.refusal("anna")), crowd.refusal("bob")) == (True, "")
    assert crowd.enter("carl")
    assert crowd.enter("dora")
    assert "maximum of 5 connections" in crowd.refusal("dora")


def test_each_wrong_key_of_an_address_is_answered_later() -> None:
    brake = Brake()
    delays = [brake.delay("anna") for _ in range(12)]
    assert delays == sorted(delays)
    assert delays[0] < delays[1] < delays[-1] == delays[-2]
    assert brake.delay("bob") == delays[0]


def test_an_address_is_a_host_or_a_network_of_ipv6() -> None:
    assert address_of(("127.0.0.1", 4711)) == "127.0.0.1"
    assert address_of(("::ffff:127.0.0.1", 4711, 0, 0)) == "127.0.0.1"
    assert address_of(("2001:db8::1", 1, 0, 0)) == address_of(("2001:db8::2:3", 2, 0, 0))
    assert address_of(("fe80::1%eth0", 1, 0, 2)) == address_of(("fe80::2", 1, 0, 2))
    assert address_of(None) == ""
