#!/bin/sh
# Plays one game of the contest. The contest sets URL, KEY and TIME_URL; the image sets AGENT.
set -eu
: "${URL:?URL is the address of the server, such as wss://example.org/spe_ed}"
: "${KEY:?KEY is the key of this client}"
exec ludus join speed --agent "$AGENT" --episodes 1
