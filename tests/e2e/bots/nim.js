// Nim for any number of players: empties the last pile that has anything.
const readline = require("node:readline");

let piles = [];
const say = (text) => process.stdout.write(`${text}\n`);

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(" ");
  if (word === "INFO") {
    if (rest[0] === "piles") piles = rest[1].split("-").map(Number);
    say("OK");
  } else if (word === "END") {
    process.exit(0);
  } else {
    for (const move of word === "TURN" ? rest : []) {
      const [pile, count] = move.split(":")[1].split("-").map(Number);
      piles[pile - 1] -= count;
    }
    const last = piles.findLastIndex((left) => left > 0);
    say(`${last + 1}-${piles[last]}`);
  }
});
