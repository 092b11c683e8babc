#!/usr/bin/env node
/* A starter bot: the protocol is complete; fill in two functions, openingMove and answerTo.

   As it stands it plays random legal moves in Connect Four and Gomoku, on a board of any size.

   Check:     ludus check bot ./bot.js --game connect-four
   Play:      ludus play connect-four ./bot.js random
   Settings:  a file settings.txt beside the bot, if you want one, with lines such as
                  log = yes        # log the dialogue to MATCH_NAME.log
                  metrics = yes    # write time and iterations of each move into MATCH_NAME.csv
                  seed = 7         # always the same random numbers
*/
"use strict";

const fs = require("fs");
const readline = require("readline");

const MOST_EMPTY_READS = 10; // after more of them in a row, the manager is gone

/** One bot in one episode: a new process starts for the next one. */
class Bot {
  constructor() {
    this.settings = readSettings("settings.txt");
    this.info = new Map(); // values from INFO: game, seat, timeout_turn, seed, ...
    this.board = null; // board[row][column] from the top left: "." is empty, "x" began, "o" answered
    this.stones = 0; // on the board
    this.iterations = 0; // for the metrics: count here what your search does for one move
    this.randomState = seedFrom(this.settings.get("seed") ?? String(Date.now()));
    this.logName = ""; // no name, no file
    this.metricsName = "";
  }

  // ---- 1. Your bot: fill in these two functions. ----
  // Moves are texts: in Connect Four the column, from 1; in Gomoku column-row, from 0, as in 7-7.
  // this.number("timeout_turn", 1000) is the time for a move in milliseconds.
  // this.say("METRIC depth 5") before you return reports a number with the move.

  /** You open: return your first move. */
  openingMove() {
    return this.randomMove();
  }

  /** The opponent played `move`, which is on the board already: return your answer. */
  answerTo(move) {
    return this.randomMove();
  }

  /** Any legal move. */
  randomMove() {
    const moves = this.legalMoves();
    this.iterations += moves.length;
    return moves.length ? moves[this.randomBelow(moves.length)] : "-";
  }

  // ---- 2. The board of Connect Four and Gomoku: change it for another game. ----

  /** True if stones fall; otherwise Gomoku. */
  isConnectFour() {
    return this.info.get("game") === "connect-four";
  }

  /** The side to move, "x" or "o": when you are asked, that is you. */
  toMove() {
    return this.stones % 2 === 0 ? "x" : "o";
  }

  /** Make the board that INFO describes. */
  setUpBoard() {
    const game = this.info.get("game") ?? "gomoku";
    if (game !== "connect-four" && game !== "gomoku") {
      this.say(`ERROR this bot plays connect-four and gomoku, but not ${game}`);
    }
    const rows = this.isConnectFour() ? this.number("rows", 6) : this.number("size", 15);
    const columns = this.isConnectFour() ? this.number("columns", 7) : this.number("size", 15);
    this.board = Array.from({ length: rows }, () => Array(columns).fill("."));
    if (this.info.has("initial_board")) this.readStartBoard(this.info.get("initial_board"));
  }

  /** Read a file with the rows of a board on one line, from the top and joined by slashes: .../.x./.o. */
  readStartBoard(fileName) {
    try {
      const rows = fs.readFileSync(fileName, "utf8").trim().split("/");
      this.board = rows.map((row) => [...row]);
      this.stones = rows.join("").replaceAll(".", "").length;
    } catch {
      this.say(`ERROR the start board ${fileName} cannot be read`);
    }
  }

  /** All moves that can be played now. */
  legalMoves() {
    const moves = [];
    const rows = this.isConnectFour() ? 1 : this.board.length;
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < this.board[y].length; x++) {
        if (this.board[y][x] === ".") moves.push(this.isConnectFour() ? `${x + 1}` : `${x}-${y}`);
      }
    }
    return moves;
  }

  /** Put a stone of the player to move on the board. */
  put(move) {
    if (!this.legalMoves().includes(move)) {
      this.say(`ERROR ${move} cannot be played on my board`);
      return;
    }
    let [column, row] = move.split("-").map(Number);
    if (this.isConnectFour()) {
      column--;
      row = 0;
      while (row + 1 < this.board.length && this.board[row + 1][column] === ".") row++;
    }
    this.board[row][column] = this.toMove();
    this.stones++;
  }

  // ---- 3. The protocol: it is done. ----

  /** Read messages and obey them until the end. */
  async run() {
    let emptyReads = 0;
    for await (const line of readline.createInterface({ input: process.stdin })) {
      const message = line.trim();
      emptyReads = message ? 0 : emptyReads + 1;
      if (emptyReads > MOST_EMPTY_READS) break;
      if (!message) continue;
      this.log(`< ${message}`);
      if (message === "END") break;
      this.obey(message);
    }
    process.exit(0); // also at the end of the input: the manager is gone
  }

  /** Carry out one message: INFO, START or TURN. */
  obey(message) {
    const [, command, rest] = message.match(/^(\S+)\s*(.*)$/);
    if (command === "INFO") {
      const [, key, value] = rest.match(/^(\S*)\s*(.*)$/);
      this.inform(key, value);
      this.say("OK");
    } else if (command === "START" || command === "TURN") {
      const begun = performance.now();
      if (!this.board) this.setUpBoard();
      this.iterations = 0;
      let move;
      if (command === "START") {
        move = this.openingMove();
      } else {
        for (const other of rest.split(";")) { // several, if the opponent moved more than once
          if (other !== "-") this.put(other); // it did not move at all
        }
        move = this.answerTo(rest);
      }
      this.put(move);
      this.say(move);
      this.noteMetrics(move, performance.now() - begun);
    } else {
      this.say(`ERROR I do not know ${command}`);
    }
  }

  /** Remember what INFO tells; a seed in the settings comes before that of the match. */
  inform(key, value) {
    this.info.set(key, value);
    if (key === "seed" && !this.settings.has("seed")) this.randomState = seedFrom(value);
    if (key === "match_name" && this.settings.get("log") === "yes") this.logName = `${value}.log`;
    if (key === "match_name" && this.settings.get("metrics") === "yes") {
      this.metricsName = `${value}.csv`;
      append(this.metricsName, "Turn;Time;Iterations");
    }
  }

  /** A number that INFO told, or another one if it told none. */
  number(key, otherwise) {
    return this.info.has(key) ? Number(this.info.get(key)) : otherwise;
  }

  /** A random number from 0 to limit - 1; the generator is called mulberry32. */
  randomBelow(limit) {
    this.randomState = (this.randomState + 0x6d2b79f5) | 0;
    let t = Math.imul(this.randomState ^ (this.randomState >>> 15), this.randomState | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  /** Say one line to the match, at once. */
  say(text) {
    process.stdout.write(`${text}\n`);
    this.log(`> ${text}`);
  }

  /** Note one line in the log; it begins when the match has a name. */
  log(text) {
    if (this.logName) append(this.logName, text);
  }

  /** Note a move with its milliseconds; a new metric is a new column. */
  noteMetrics(move, milliseconds) {
    if (this.metricsName) append(this.metricsName, `${move};${milliseconds.toFixed(3)};${this.iterations}`);
  }
}

/** A seed of 32 bits from a number of any length. */
function seedFrom(digits) {
  let seed = 0;
  for (const digit of digits) seed = (Math.imul(seed, 31) + digit.charCodeAt(0)) | 0;
  return seed;
}

/** Add a line to a file in the bot's folder, which is where it is started. */
function append(fileName, line) {
  fs.appendFileSync(fileName, `${line}\n`);
}

/** The lines `key = value` of a file, without what follows a #; it may be absent. */
function readSettings(fileName) {
  const settings = new Map();
  const text = fs.existsSync(fileName) ? fs.readFileSync(fileName, "utf8") : "";
  for (const line of text.split("\n")) {
    const [, key, value] = line.split("#")[0].match(/^([^=]*)=(.*)$/) ?? [];
    if (key !== undefined) settings.set(key.trim(), value.trim());
  }
  return settings;
}

process.stdout.on("error", () => process.exit(1)); // the manager is gone
new Bot().run();
