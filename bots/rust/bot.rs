/* A starter bot: the protocol is complete; fill in two functions, opening_move and answer_to.

   As it stands it plays random legal moves in Connect Four and Gomoku, on a board of any size.

   Compile:   rustc --edition 2021 -O -o bot bot.rs
   Check:     ludus check bot ./bot --game connect-four
   Play:      ludus play connect-four ./bot random
   Settings:  a file settings.txt beside the bot, if you want one, with lines such as
                  log = yes        # log the dialogue to MATCH_NAME.log
                  metrics = yes    # write time and iterations of each move into MATCH_NAME.csv
                  seed = 7         # always the same random numbers
*/
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const MOST_EMPTY_READS: u32 = 10; // after more of them in a row, the manager is gone

/// One bot in one episode: a new process starts for the next one.
#[derive(Default)]
struct Bot {
    settings: HashMap<String, String>,
    info: HashMap<String, String>, // values from INFO: game, seat, timeout_turn, seed, ...
    board: Vec<Vec<char>>, // board[row][column] from the top left: '.' is empty, 'x' began, 'o' answered
    stones: usize,         // on the board
    iterations: usize,     // for the metrics: count here what your search does for one move
    random_state: u64,
    log_name: String, // no name, no file
    metrics_name: String,
}

impl Bot {
    // ---- 1. Your bot: fill in these two functions. ----
    // Moves are texts: in Connect Four the column, from 1; in Gomoku column-row, from 0, as in 7-7.
    // self.number("timeout_turn", 1000) is the time for a move in milliseconds.
    // self.say("METRIC depth 5") before you return reports a number with the move.

    /// You open: return your first move.
    fn opening_move(&mut self) -> String {
        self.random_move()
    }

    /// The opponent played this move, which is on the board already: return your answer.
    fn answer_to(&mut self, _move: &str) -> String {
        self.random_move()
    }

    /// Any legal move.
    fn random_move(&mut self) -> String {
        let moves = self.legal_moves();
        self.iterations += moves.len();
        if moves.is_empty() {
            return "-".to_string();
        }
        moves[self.random_below(moves.len())].clone()
    }

    // ---- 2. The board of Connect Four and Gomoku: change it for another game. ----

    /// True if stones fall; otherwise Gomoku.
    fn is_connect_four(&self) -> bool {
        text(&self.info, "game") == "connect-four"
    }

    /// The side to move, 'x' or 'o': when you are asked, that is you.
    fn to_move(&self) -> char {
        if self.stones % 2 == 0 { 'x' } else { 'o' }
    }

    /// Make the board that INFO describes.
    fn set_up_board(&mut self) {
        let game = text(&self.info, "game").to_string();
        if !["", "connect-four", "gomoku"].contains(&game.as_str()) {
            self.say(&format!("ERROR this bot plays connect-four and gomoku, but not {game}"));
        }
        let (mut rows, mut columns) = (self.number("size", 15), self.number("size", 15));
        if self.is_connect_four() {
            (rows, columns) = (self.number("rows", 6), self.number("columns", 7));
        }
        self.board = vec![vec!['.'; columns]; rows];
        if let Some(file_name) = self.info.get("initial_board").cloned() {
            self.read_start_board(&file_name);
        }
    }

    /// Read a file with the rows of a board on one line, from the top and joined by slashes: .../.x./.o.
    fn read_start_board(&mut self, file_name: &str) {
        match fs::read_to_string(file_name) {
            Ok(rows) => self.board = rows.trim().split('/').map(|row| row.chars().collect()).collect(),
            Err(_) => self.say(&format!("ERROR the start board {file_name} cannot be read")),
        }
        self.stones = self.board.iter().flatten().filter(|cell| **cell != '.').count();
    }

    /// All moves that can be played now.
    fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let rows = if self.is_connect_four() { 1 } else { self.board.len() };
        for (y, row) in self.board.iter().take(rows).enumerate() {
            for (x, _) in row.iter().enumerate().filter(|(_, cell)| **cell == '.') {
                moves.push(if self.is_connect_four() { format!("{}", x + 1) } else { format!("{x}-{y}") });
            }
        }
        moves
    }

    /// Put a stone of the player to move on the board.
    fn put(&mut self, a_move: &str) {
        if !self.legal_moves().iter().any(|legal| legal == a_move) {
            self.say(&format!("ERROR {a_move} cannot be played on my board"));
            return;
        }
        let numbers: Vec<usize> = a_move.split('-').map(|number| number.parse().unwrap()).collect();
        let (mut column, mut row) = (numbers[0], *numbers.last().unwrap());
        if self.is_connect_four() {
            column -= 1;
            row = (0..self.board.len()).rev().find(|y| self.board[*y][column] == '.').unwrap();
        }
        self.board[row][column] = self.to_move();
        self.stones += 1;
    }

    // ---- 3. The protocol: it is done. ----

    /// Read messages and obey them until the end.
    fn run(&mut self) {
        let mut empty_reads = 0;
        while empty_reads <= MOST_EMPTY_READS {
            let mut line = String::new();
            if let Ok(0) = io::stdin().read_line(&mut line) {
                break; // the end of the input: the manager is gone
            }
            let message = line.trim();
            if message.is_empty() {
                empty_reads += 1;
                continue;
            }
            empty_reads = 0;
            self.log(&format!("< {message}"));
            if message == "END" {
                break;
            }
            self.obey(message);
        }
    }

    /// Carry out one message: INFO, START or TURN.
    fn obey(&mut self, message: &str) {
        let (command, rest) = message.split_once(' ').unwrap_or((message, ""));
        if command == "INFO" {
            let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
            self.inform(key, value);
            self.say("OK");
        } else if command == "START" || command == "TURN" {
            let begun = Instant::now();
            if self.board.is_empty() {
                self.set_up_board();
            }
            self.iterations = 0;
            let mine;
            if command == "START" {
                mine = self.opening_move();
            } else {
                for other in rest.split(';').filter(|other| *other != "-") {
                    self.put(other); // several, if the opponent moved more than once; "-", if it did not move at all
                }
                mine = self.answer_to(rest);
            }
            self.put(&mine);
            self.say(&mine);
            self.note_metrics(&mine, begun.elapsed().as_secs_f64() * 1e3);
        } else {
            self.say(&format!("ERROR I do not know {command}"));
        }
    }

    /// Remember what INFO tells; a seed in the settings comes before that of the match.
    fn inform(&mut self, key: &str, value: &str) {
        self.info.insert(key.to_string(), value.to_string());
        if key == "seed" && !self.settings.contains_key("seed") {
            self.random_state = value.parse().unwrap_or(0);
        }
        if key == "match_name" && text(&self.settings, "log") == "yes" {
            self.log_name = format!("{value}.log");
        }
        if key == "match_name" && text(&self.settings, "metrics") == "yes" {
            self.metrics_name = format!("{value}.csv");
            append(&self.metrics_name, "Turn;Time;Iterations");
        }
    }

    /// A number that INFO told, or another one if it told none.
    fn number(&self, key: &str, otherwise: usize) -> usize {
        text(&self.info, key).parse().unwrap_or(otherwise)
    }

    /// A random number from 0 to limit - 1; the generator is called splitmix64.
    fn random_below(&mut self, limit: usize) -> usize {
        self.random_state = self.random_state.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.random_state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    /// Say one line to the match, at once.
    fn say(&self, line: &str) {
        println!("{line}");
        io::stdout().flush().unwrap();
        self.log(&format!("> {line}"));
    }

    /// Note one line in the log; it begins when the match has a name.
    fn log(&self, line: &str) {
        if !self.log_name.is_empty() {
            append(&self.log_name, line);
        }
    }

    /// Note a move with its milliseconds; a new metric is a new column.
    fn note_metrics(&self, a_move: &str, milliseconds: f64) {
        if !self.metrics_name.is_empty() {
            append(&self.metrics_name, &format!("{a_move};{milliseconds:.3};{}", self.iterations));
        }
    }
}

/// The text under a key, or nothing.
fn text<'a>(pairs: &'a HashMap<String, String>, key: &str) -> &'a str {
    pairs.get(key).map_or("", String::as_str)
}

/// Add a line to a file in the bot's folder, which is where it is started.
fn append(file_name: &str, line: &str) {
    let file = fs::OpenOptions::new().create(true).append(true).open(file_name);
    writeln!(file.unwrap(), "{line}").unwrap();
}

/// The lines `key = value` of a file, without what follows a #; it may be absent.
fn read_settings(file_name: &str) -> HashMap<String, String> {
    let content = fs::read_to_string(file_name).unwrap_or_default();
    let lines = content.lines().map(|line| line.split('#').next().unwrap_or(""));
    let pairs = lines.filter_map(|line| line.split_once('='));
    pairs.map(|(key, value)| (key.trim().to_string(), value.trim().to_string())).collect()
}

fn main() {
    let mut bot = Bot { settings: read_settings("settings.txt"), ..Default::default() };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    bot.random_state = text(&bot.settings, "seed").parse().unwrap_or(now);
    bot.run();
}
