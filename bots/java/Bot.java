/* A starter bot: the protocol is complete; fill in two functions, openingMove and answerTo.

   As it stands it plays random legal moves in Connect Four and Gomoku, on a board of any size.

   Compile:   javac -d classes Bot.java && jar --create --file Bot.jar --main-class Bot -C classes .
   Check:     ludus check bot "stdio:java -jar Bot.jar" --game connect-four
   Play:      ludus play connect-four "stdio:java -jar Bot.jar" random
   Settings:  a file settings.txt beside the bot, if you want one, with lines such as
                  log = yes        # log the dialogue to MATCH_NAME.log
                  metrics = yes    # write time and iterations of each move into MATCH_NAME.csv
                  seed = 7         # always the same random numbers
*/
import java.io.IOException;
import java.nio.file.*;
import java.util.*;

/** One bot in one episode: a new process starts for the next one. */
public class Bot {
    static final int MOST_EMPTY_READS = 10; // after more of them in a row, the manager is gone

    final Map<String, String> settings = readSettings("settings.txt");
    final Map<String, String> info = new HashMap<>(); // values from INFO: game, seat, timeout_turn, seed, ...
    char[][] board; // board[row][column] from the top left: '.' is empty, 'x' began, 'o' answered
    int stones = 0; // on the board
    long iterations = 0; // for the metrics: count here what your search does for one move
    Random random = settings.containsKey("seed") ? new Random(Long.parseLong(settings.get("seed"))) : new Random();
    String logName = ""; // no name, no file
    String metricsName = "";

    // ---- 1. Your bot: fill in these two functions. ----
    // Moves are texts: in Connect Four the column, from 1; in Gomoku column-row, from 0, as in 7-7.
    // number("timeout_turn", 1000) is the time for a move in milliseconds.
    // say("METRIC depth 5") before you return reports a number with the move.

    /** You open: return your first move. */
    String openingMove() {
        return randomMove();
    }

    /** The opponent played `move`, which is on the board already: return your answer. */
    String answerTo(String move) {
        return randomMove();
    }

    /** Any legal move. */
    String randomMove() {
        List<String> moves = legalMoves();
        iterations += moves.size();
        return moves.isEmpty() ? "-" : moves.get(random.nextInt(moves.size()));
    }

    // ---- 2. The board of Connect Four and Gomoku: change it for another game. ----

    /** True if stones fall; otherwise Gomoku. */
    boolean isConnectFour() {
        return "connect-four".equals(info.get("game"));
    }

    /** The side to move, 'x' or 'o': when you are asked, that is you. */
    char toMove() {
        return stones % 2 == 0 ? 'x' : 'o';
    }

    /** Make the board that INFO describes. */
    void setUpBoard() {
        if (!isConnectFour() && !info.getOrDefault("game", "gomoku").equals("gomoku")) {
            say("ERROR this bot plays connect-four and gomoku, but not " + info.get("game"));
        }
        int rows = isConnectFour() ? number("rows", 6) : number("size", 15);
        int columns = isConnectFour() ? number("columns", 7) : number("size", 15);
        board = new char[rows][];
        for (int row = 0; row < rows; row++) board[row] = ".".repeat(columns).toCharArray();
        if (info.containsKey("initial_board")) readStartBoard(info.get("initial_board"));
    }

    /** Read a file with the rows of a board on one line, from the top and joined by slashes: .../.x./.o. */
    void readStartBoard(String fileName) {
        try {
            String[] rows = Files.readString(Path.of(fileName)).strip().split("/");
            board = new char[rows.length][];
            for (int row = 0; row < rows.length; row++) {
                board[row] = rows[row].toCharArray();
                stones += rows[row].replace(".", "").length();
            }
        } catch (IOException error) {
            say("ERROR the start board " + fileName + " cannot be read");
        }
    }

    /** All moves that can be played now. */
    List<String> legalMoves() {
        List<String> moves = new ArrayList<>();
        for (int y = 0; y < (isConnectFour() ? 1 : board.length); y++) {
            for (int x = 0; x < board[y].length; x++) {
                if (board[y][x] == '.') moves.add(isConnectFour() ? String.valueOf(x + 1) : x + "-" + y);
            }
        }
        return moves;
    }

    /** Put a stone of the player to move on the board. */
    void put(String move) {
        if (!legalMoves().contains(move)) {
            say("ERROR " + move + " cannot be played on my board");
            return;
        }
        String[] numbers = move.split("-");
        int column = Integer.parseInt(numbers[0]);
        int row = 0;
        if (isConnectFour()) {
            column--;
            while (row + 1 < board.length && board[row + 1][column] == '.') row++;
        } else {
            row = Integer.parseInt(numbers[1]);
        }
        board[row][column] = toMove();
        stones++;
    }

    // ---- 3. The protocol: it is done. ----

    /** Read messages and obey them until the end. */
    void run() {
        Scanner input = new Scanner(System.in);
        int emptyReads = 0;
        while (emptyReads <= MOST_EMPTY_READS && input.hasNextLine()) { // no line: the manager is gone
            String message = input.nextLine().strip();
            emptyReads = message.isEmpty() ? emptyReads + 1 : 0;
            if (message.isEmpty()) continue;
            log("< " + message);
            if (message.equals("END")) break;
            obey(message);
        }
    }

    /** Carry out one message: INFO, START or TURN. */
    void obey(String message) {
        String[] words = (message + " ").split(" ", 2);
        String command = words[0], rest = words[1].strip(), move;
        if (command.equals("INFO")) {
            String[] pair = (rest + " ").split(" ", 2);
            inform(pair[0], pair[1].strip());
            say("OK");
        } else if (command.equals("START") || command.equals("TURN")) {
            long begun = System.nanoTime();
            if (board == null) setUpBoard();
            iterations = 0;
            if (command.equals("START")) {
                move = openingMove();
            } else {
                for (String other : rest.split(";")) { // several, if the opponent moved more than once
                    if (!other.equals("-")) put(other); // it did not move at all
                }
                move = answerTo(rest);
            }
            put(move);
            say(move);
            noteMetrics(move, (System.nanoTime() - begun) / 1e6);
        } else {
            say("ERROR I do not know " + command);
        }
    }

    /** Remember what INFO tells; a seed in the settings comes before that of the match. */
    void inform(String key, String value) {
        info.put(key, value);
        if (key.equals("seed") && !settings.containsKey("seed")) random = new Random(Long.parseLong(value));
        if (key.equals("match_name") && "yes".equals(settings.get("log"))) logName = value + ".log";
        if (key.equals("match_name") && "yes".equals(settings.get("metrics"))) {
            metricsName = value + ".csv";
            append(metricsName, "Turn;Time;Iterations");
        }
    }

    /** A number that INFO told, or another one if it told none. */
    int number(String key, int otherwise) {
        return info.containsKey(key) ? Integer.parseInt(info.get(key)) : otherwise;
    }

    /** Say one line to the match, at once. */
    void say(String text) {
        System.out.print(text + "\n");
        System.out.flush();
        log("> " + text);
    }

    /** Note one line in the log; it begins when the match has a name. */
    void log(String text) {
        if (!logName.isEmpty()) append(logName, text);
    }

    /** Note a move with its milliseconds; a new metric is a new column. */
    void noteMetrics(String move, double milliseconds) {
        String row = String.format(Locale.ROOT, "%s;%.3f;%d", move, milliseconds, iterations);
        if (!metricsName.isEmpty()) append(metricsName, row);
    }

    /** Add a line to a file in the bot's folder, which is where it is started. */
    static void append(String fileName, String line) {
        try {
            Files.writeString(Path.of(fileName), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException error) {
            System.err.println(error);
        }
    }

    /** The lines `key = value` of a file, without what follows a #; it may be absent. */
    static Map<String, String> readSettings(String fileName) {
        Map<String, String> settings = new HashMap<>();
        try {
            for (String line : Files.readAllLines(Path.of(fileName))) {
                String[] pair = line.split("#", 2)[0].split("=", 2);
                if (pair.length == 2) settings.put(pair[0].strip(), pair[1].strip());
            }
        } catch (IOException error) {
            // no settings then
        }
        return settings;
    }

    public static void main(String[] arguments) {
        new Bot().run();
    }
}
