// The guardian, compiled: what guardian.py does, with the same arguments and the same report, for Linux alone.
//
// That file says what a guardian is for, and when it ends a program. A new Python costs 15 ms for each program, and a
// fork of ours costs 9 ms: both sides then copy each page that either of them writes to. This costs less than 1 ms. It
// asks for no memory but for the table of processes.

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace {

constexpr double KILLING = 10.0;  // seconds of repeated killing: what we may not kill must not block us for ever
constexpr double BURYING = 0.5;   // seconds until the system has given us another parent after ours has ended
constexpr int STOPS = 100;        // of children, in one look at them
constexpr int WORDS = 9;          // of the command line, with our own name, before the program

double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of(const rusage& usage) {
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

bool is_none(const char* word) { return strcmp(word, "-") == 0; }

// The most kilobytes that we have held. What getrusage says may be the peak of the process that started us.
long own_peak() {
    char line[128];
    long peak = 0;
    FILE* file = fopen("/proc/self/status", "re");
    while (file != nullptr && peak == 0 && fgets(line, sizeof line, file) != nullptr) sscanf(line, "VmHWM: %ld", &peak);
    if (file != nullptr) fclose(file);
    return peak;
}

int remove_one(const char* path, const struct stat*, int, FTW*) {
    remove(path);
    return 0;
}

// The parents of all processes, in the order in which the system lists them.
class ProcessTable {
  public:
    ProcessTable() {
        DIR* folder = opendir("/proc");
        if (folder == nullptr) return;
        while (const dirent* entry = readdir(folder)) {
            const pid_t pid = atoi(entry->d_name);
            if (pid > 0) add(pid, parent_of(pid));
        }
        closedir(folder);
    }
    ~ProcessTable() { free(rows_); }
    ProcessTable(const ProcessTable&) = delete;
    ProcessTable& operator=(const ProcessTable&) = delete;

    // Send a signal to all processes below one, each once.
    void strike_below(pid_t parent, int number) {
        for (size_t row = 0; row < size_; ++row) {
            if (rows_[row].parent == parent) {
                rows_[row].parent = 0;
                kill(rows_[row].pid, number);
                strike_below(rows_[row].pid, number);
            }
        }
    }

  private:
    struct Row {
        pid_t pid, parent;
    };

    static pid_t parent_of(pid_t pid) {
        char path[32], text[512];
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return 0;  // it has ended meanwhile
        const ssize_t bytes = read(file, text, sizeof text - 1);
        close(file);
        text[bytes < 0 ? 0 : bytes] = 0;
        const char* name_end = strrchr(text, ')');  // a name may hold brackets and blanks
        int parent = 0;
        return name_end != nullptr && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? parent : 0;
    }

    void add(pid_t pid, pid_t parent) {
        if (size_ == room_) {
            const size_t larger = room_ == 0 ? 1024 : 2 * room_;
            auto* rows = static_cast<Row*>(realloc(rows_, larger * sizeof(Row)));
            if (rows == nullptr) return;
            rows_ = rows;
            room_ = larger;
        }
        rows_[size_++] = {pid, parent};
    }

    Row* rows_ = nullptr;
    size_t size_ = 0, room_ = 0;
};

class Guardian {
  public:
    explicit Guardian(char** words)
        : report_(atoi(words[1])),
          owner_(atoi(words[2])),
          deadline_(is_none(words[3]) ? 0 : now() + atof(words[3])),
          memory_(words[4]),
          processor_(words[5]),
          patience_(atof(words[6])),
          folder_(words[7]),
          locale_(words[8]),
          command_(words + WORDS) {}

    // Start the program, wait for its end or a reason to end it, end its descendants, and report.
    void run() {
        fcntl(report_, F_SETFD, FD_CLOEXEC);
        prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
        prctl(PR_SET_PDEATHSIG, static_cast<unsigned long>(SIGCONT), 0UL, 0UL, 0UL);  // it wakes whom somebody stopped
        listen();
        const pid_t guardian = getpid();
        program_ = fork();
        if (program_ == 0) stand_between(guardian);
        if (program_ < 0) {
            fail(errno);
            return;
        }
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int output : {1, 2}) dup2(null, output);  // the output ends when the program's processes close it
        wait();
        end();
        tell();
        if (deserted_) tidy();
    }

  private:
    // Take signals from a file, so that none is missed between two looks.
    void listen() {
        sigset_t heard;
        sigemptyset(&heard);
        for (const int number : {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGCONT}) {
            signal(number, SIG_DFL);
            sigaddset(&heard, number);
        }
        signal(SIGPIPE, SIG_IGN);  // whom we report to may be gone
        sigprocmask(SIG_SETMASK, &heard, nullptr);
        ears_ = signalfd(-1, &heard, SFD_NONBLOCK | SFD_CLOEXEC);
    }

    // Be the parent that the program sees, and end as it ends. A program that stops or kills it does not hit the guardian.
    [[noreturn]] void stand_between(pid_t guardian) {
        prctl(PR_SET_PDEATHSIG, static_cast<unsigned long>(SIGKILL), 0UL, 0UL, 0UL);
        const pid_t between = getpid();
        const pid_t program = getppid() == guardian ? fork() : -1;  // else the guardian was killed before that
        if (program == 0) become_the_program(between);
        if (program < 0) fail(errno);
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int standard : {0, 1, 2}) dup2(null, standard);
        int status = SIGKILL;
        while (program > 0 && waitpid(program, &status, 0) < 0 && errno == EINTR) {
        }
        if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
        const rlimit none{};
        setrlimit(RLIMIT_CORE, &none);
        receive_all_signals();
        kill(getpid(), WTERMSIG(status));
        _exit(127);
    }

    static void receive_all_signals() {
        sigset_t nothing;
        sigemptyset(&nothing);
        for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
        sigprocmask(SIG_SETMASK, &nothing, nullptr);
    }

    [[noreturn]] void become_the_program(pid_t parent) {
        setsid();
        prctl(PR_SET_PDEATHSIG, static_cast<unsigned long>(SIGKILL), 0UL, 0UL, 0UL);
        if (getppid() == parent) {  // else it was killed before that
            receive_all_signals();
            dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
            if (is_none(locale_)) unsetenv("LC_CTYPE");
            if (limit(RLIMIT_CPU, processor_) && limit(RLIMIT_AS, memory_)) execv(command_[0], command_);
            fail(errno);
        }
        kill(getpid(), SIGKILL);
        _exit(127);
    }

    static bool limit(decltype(RLIMIT_CPU) what, const char* most) {
        rlimit bound{};
        if (is_none(most)) return true;
        getrlimit(what, &bound);
        const rlim_t wanted = strtoull(most, nullptr, 10);
        if (bound.rlim_max == RLIM_INFINITY || wanted < bound.rlim_max) bound.rlim_max = wanted;
        bound.rlim_cur = bound.rlim_max;
        return setrlimit(what, &bound) == 0;
    }

    void fail(int fault) const { dprintf(report_, "failed %d\n", fault); }

    // Return when the program has ended or has to be ended.
    void wait() {
        while (!ended_ && !deserted_) {
            double left = -1;
            if (deadline_ != 0) {
                left = deadline_ - now();
                timed_out_ = left <= 0;
                if (timed_out_) return;
            }
            pollfd sources[] = {{ears_, POLLIN, 0}, {0, POLLIN, 0}};
            if (poll(sources, 2, left < 0 || left > 1e6 ? -1 : static_cast<int>(1000 * left) + 1) < 0) continue;
            if (sources[0].revents != 0) hear();
            if (sources[1].revents != 0) {
                char word = 0;
                deserted_ = deserted_ || read(0, &word, 1) <= 0;
                return;
            }
        }
    }

    void hear() {
        signalfd_siginfo heard{};
        while (read(ears_, &heard, sizeof heard) == sizeof heard) {
            if (heard.ssi_signo == SIGCHLD) continue;
            const bool continued = heard.ssi_signo == SIGCONT && getppid() == owner_;
            (continued ? stopped_ : deserted_) = true;
        }
        bury();
    }

    // Collect the exit statuses of children, and continue who stands between. Somebody may stop it again and again.
    void bury() {
        for (int stops = 0; !childless_ && stops < STOPS;) {
            int status = 0;
            rusage usage{};
            const pid_t pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage);
            if (pid < 0) childless_ = errno == ECHILD;
            if (pid <= 0) return;
            if (WIFSTOPPED(status)) {
                if (pid == program_) kill(pid, SIGCONT);
                ++stops;
                continue;
            }
            used_ += seconds_of(usage);
            if (pid == program_) {
                ended_ = true;
                code_ = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
                peak_ = usage.ru_maxrss > own_peak() ? 1024 * static_cast<long long>(usage.ru_maxrss) : 0;
            }
        }
    }

    // End the remaining processes: first by SIGTERM, after a while by SIGKILL; at once where somebody stops us.
    void end() {
        bury();
        if (childless_) return;
        strike(SIGTERM);
        await(patience_, 0, 20);
        await(KILLING, SIGKILL, 200);
    }

    // Wait until no child is left; a signal is repeated, since processes born during the last round come next.
    void await(double seconds, int number, int longest) {
        const double until = now() + seconds;
        for (int pause = 1; !childless_ && now() < until && (number != 0 || !stopped_);
             pause = pause < longest / 2 ? 2 * pause : longest) {
            if (number != 0) strike(number);
            pollfd source = {ears_, POLLIN, 0};
            poll(&source, 1, pause);
            hear();
        }
    }

    void strike(int number) const {
        ProcessTable().strike_below(getpid(), number);
        if (!ended_) kill(program_, number);  // its process id is still valid; it takes the program with it
    }

    void tell() const {
        const int code = ended_ ? code_ : -SIGKILL;
        dprintf(report_, "ended %d %.6f %lld %d %d\n", code, used_, peak_, timed_out_, childless_);
    }

    // Remove the folder of an owner that is gone; a living owner does this itself.
    void tidy() const {
        const double until = now() + BURYING;
        while (getppid() == owner_) {
            if (now() > until) return;
            poll(nullptr, 0, 10);
        }
        if (!is_none(folder_)) nftw(folder_, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }

    const int report_;
    const pid_t owner_;
    const double deadline_;  // 0: none
    const char *const memory_, *const processor_;
    const double patience_;
    const char *const folder_, *const locale_;
    char** const command_;
    int ears_ = -1;
    pid_t program_ = 0;  // or who stands between
    bool ended_ = false, timed_out_ = false, deserted_ = false, stopped_ = false, childless_ = false;
    int code_ = 0;
    double used_ = 0;
    long long peak_ = 0;
};

}  // namespace

int main(int count, char** words) {
    if (count <= WORDS) return 2;
    Guardian(words).run();
    return 0;
}
