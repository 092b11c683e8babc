// Goofspiel: bids what the prize is worth, which is the last thing that happened.
const readline = require("node:readline");

const say = (text) => process.stdout.write(`${text}\n`);

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(" ");
  if (word === "INFO") say("OK");
  else if (word === "END") process.exit(0);
  else say(rest.at(-1).split(":")[1]);
});
