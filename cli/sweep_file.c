/* SPDX-License-Identifier: MIT */
#include "cli/sweep_file.h"
#include "cli/hdf5_file.h"
#include "core/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names of columns */

static const char *record_column(char name[80], const ic_sweep *sweep, size_t i)
{
    const ic_sweep_plan *plan = &sweep->plan;
    const ic_case *system = plan->problem->system;
    switch (plan->record) {
    case IC_RECORD_STROBE: snprintf(name, 80, "%s", system->states[i].name); return system->states[i].unit;
    case IC_RECORD_PEAK: snprintf(name, 80, "%s", system->outputs[i].name); return system->outputs[i].unit;
    case IC_RECORD_OUTPUT: break;
    }
    snprintf(name, 80, "%s_%s", system->outputs[plan->output].name, i == 0 ? "min" : "max");
    return system->outputs[plan->output].unit;
}

const char *cli_sweep_column(char name[80], const ic_sweep *sweep, size_t i)
{
    return record_column(name, sweep, i);
}

/*
 * Name of the column of varied parameter k: that of the parameter, or par.NAME if a column of the
 * record has that name.
 */
static void name_axis(char name[80], const ic_sweep *sweep, size_t k)
{
    static const char *const others[] = {"lane", "status", "period", "mode"};
    const char *own = sweep->request->grid.axes[k].name;
    char other[80];
    bool taken = false;
    for (size_t i = 0; i < IC_COUNT(others); i++) taken = taken || strcmp(own, others[i]) == 0;
    for (size_t i = 0; i < sweep->plan.n_columns; i++) {
        record_column(other, sweep, i);
        taken = taken || strcmp(own, other) == 0;
    }
    snprintf(name, 80, "%s%s", taken ? "par." : "", own);
}

/* ---- the header: everything that the result depends on */

__attribute__((format(printf, 2, 3))) static void add_text(ic_bytes *bytes, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof text) bytes->failed = true;
    else ic_bytes_add(bytes, text, (size_t)n);
}

static const char *unit_of(const ic_case *system, const char *name)
{
    const size_t i = ic_parameter_find(system, name);
    return i < system->n_parameters ? system->parameters[i].unit : "1";
}

static void add_request(ic_bytes *header, const ic_sweep *sweep)
{
    const ic_sweep_request *request = sweep->request;
    const ic_case *system = sweep->plan.problem->system;
    add_text(header, "# sweep of %s/%s\n# variant: %s\n", system->name, sweep->first.preset->name,
             sweep->plan.problem->variant->name);
    for (size_t i = 0; i < request->request.n_settings; i++)
        add_text(header, "# set: %s\n", request->request.settings[i]);
    for (size_t k = 0; k < request->grid.n_axes; k++) {
        const ic_axis *axis = &request->grid.axes[k];
        add_text(header, "# vary: %s from %.17g to %.17g %s, %zu values%s\n", axis->name, axis->from, axis->to,
                 unit_of(system, axis->name), axis->count,
                 axis->logarithmic ? ", evenly in the logarithm" : "");
    }
}

static void add_columns(ic_bytes *header, const ic_sweep *sweep)
{
    const ic_sweep_plan *plan = &sweep->plan;
    char name[80];
    add_text(header, "# units: ");
    for (size_t i = 0; i < plan->n_columns; i++) {
        const char *unit = cli_sweep_column(name, sweep, i);
        add_text(header, "%s%s in %s", i == 0 ? "" : ", ", name, unit);
    }
    add_text(header, "\nlane,status");
    for (size_t k = 0; k < sweep->request->grid.n_axes; k++) {
        name_axis(name, sweep, k);
        add_text(header, ",%s", name);
    }
    if (plan->record != IC_RECORD_PEAK) add_text(header, ",period");
    if (plan->record == IC_RECORD_STROBE) add_text(header, ",mode");
    for (size_t i = 0; i < plan->n_columns; i++) {
        cli_sweep_column(name, sweep, i);
        add_text(header, ",%s", name);
    }
    add_text(header, "\n");
}

static void make_header(cli_sweep_file *file)
{
    const ic_sweep *sweep = file->sweep;
    add_text(&file->header, "# %s, impactcheck " IC_VERSION "\n", file->format->what);
    add_request(&file->header, sweep);
    add_text(&file->header, "# record: %s; periods skipped: %zu, kept: %zu\n", sweep->request->record,
             sweep->plan.skip, sweep->plan.keep);
    const ic_options *options = &sweep->request->options;
    add_text(&file->header, "# solver: %s, method %s", sweep->plan.solver->name, sweep->method->name);
    if (options->rtol > 0) add_text(&file->header, ", rtol %.17g", options->rtol);
    if (options->step > 0) add_text(&file->header, ", step %.17g s", options->step);
    if (options->event_tol > 0) add_text(&file->header, ", event_tol %.17g s", options->event_tol);
    add_text(&file->header, "\n");
    add_columns(&file->header, sweep);
}

/* ---- opening */

static bool choose_format(cli_sweep_file *file, const char *path, ic_error *error)
{
    if (cli_ends_with(path, cli_sweep_csv.extension)) file->format = &cli_sweep_csv;
    else if (cli_is_hdf5(path)) file->format = &cli_sweep_hdf5;
    if (file->format == NULL) {
        ic_error_set(error, "'%s' ends neither in .csv nor in .h5, which selects the format", path);
        return false;
    }
    return file->format != &cli_sweep_hdf5 || cli_hdf5_can_be(path, error);
}

/* Reports reasons that would prevent the final rename before the work begins. */
static bool check_path(const char *path, ic_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0) return true;
    if (S_ISDIR(status.st_mode)) return cli_cannot_write(error, path, "it is a folder");
    if (!S_ISREG(status.st_mode)) return cli_cannot_write(error, path, "it is no regular file");
    return access(path, W_OK) == 0 || cli_cannot_write(error, path, strerror(errno));
}

/* The process that has FILE.part locked; 0: none. */
static long writer_of(int descriptor)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? (long)lock.l_pid : 0;
}

static bool refuse_used(const cli_sweep_file *file, long process, ic_error *error)
{
    ic_error_set(
        error, "'%s' is in use: another sweep (process %ld) is writing it; wait for it, or choose another name",
        file->part, process);
    return false;
}

/* FILE.part exists: a sweep is in progress, or was interrupted. */
static bool refuse_part(const cli_sweep_file *file, ic_error *error)
{
    const int descriptor = open(file->part, O_RDWR);
    const long process = descriptor >= 0 ? writer_of(descriptor) : 0;
    if (descriptor >= 0) close(descriptor);
    if (process != 0) return refuse_used(file, process, error);
    ic_error_set(
        error,
        "'%s' exists; it belongs to an interrupted sweep: --resume continues it; remove it to start again",
        file->part);
    return false;
}

/* No other process writes it, and it has not become FILE in the meantime. */
static bool lock_part(const cli_sweep_file *file, int descriptor, ic_error *error)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat own, named;
    if (fcntl(descriptor, F_SETLK, &lock) != 0) {
        const int why = errno;
        if (why == EACCES || why == EAGAIN) return refuse_used(file, writer_of(descriptor), error);
        return cli_cannot_write(error, file->part, strerror(why));
    }
    const bool same =
        fstat(descriptor, &own) == 0 && stat(file->part, &named) == 0 && own.st_ino == named.st_ino;
    return same || cli_cannot_write(error, file->part, "another sweep has just finished it");
}

static bool open_part(cli_sweep_file *file, bool resume, ic_error *error)
{
    const int descriptor = open(file->part, O_RDWR | O_CREAT | (resume ? 0 : O_EXCL), 0666);
    if (descriptor < 0 && errno == EEXIST) return refuse_part(file, error);
    if (descriptor < 0) return cli_cannot_write(error, file->path, strerror(errno));
    if (!lock_part(file, descriptor, error)) {
        close(descriptor);
        return false;
    }
    file->stream = fdopen(descriptor, "r+");
    if (file->stream != NULL) return true;
    close(descriptor);
    return cli_cannot_write(error, file->path, strerror(errno));
}

/* ---- going on */

/* The first line by which two headers differ, as it is in each of them. */
static void tell_difference(const char *theirs, const char *ours, const char *part, ic_error *error)
{
    size_t begin = 0;
    for (size_t i = 0; theirs[i] != '\0' && theirs[i] == ours[i]; i++) {
        if (theirs[i] == '\n') begin = i + 1;
    }
    ic_error_set(error, "'%s' belongs to another request: it has '%.*s', this one '%.*s'", part,
                 (int)strcspn(theirs + begin, "\n"), theirs + begin, (int)strcspn(ours + begin, "\n"),
                 ours + begin);
}

/*
 * Whether the header is valid. It is also valid if the file ends within it; *whole is then false.
 */
static bool same_header(cli_sweep_file *file, bool *whole, ic_error *error)
{
    const size_t n = file->header.n - 1; /* without the 0 at its end */
    char *theirs = calloc(n + 1, 1);
    if (theirs == NULL) return cli_cannot_write(error, file->path, "memory ran out");
    const size_t got = fread(theirs, 1, n, file->stream);
    const bool same = memcmp(theirs, file->header.data, got) == 0;
    *whole = got == n;
    if (!same) tell_difference(theirs, file->header.data, file->part, error);
    free(theirs);
    return same;
}

/* Damaged parameter sets are neither used nor silently cut off. */
static bool refuse_damaged(const cli_sweep_file *file, long end, ic_error *error)
{
    const size_t first = file->before.sets, n = file->sweep->request->grid.n_sets - first;
    const size_t most = file->sweep->chunk_sets;
    ic_error_set(error,
                 "'%s' is damaged: parameter sets %zu to %zu, from byte %ld on, are damaged (checksum); "
                 "'truncate -s %ld %s' keeps the sets before these, and --resume continues from them; "
                 "remove it to begin anew",
                 file->part, first, first + (n < most ? n : most) - 1, end, end, file->part);
    return false;
}

/* Count whole chunks; the position in the file is then after the last of them. */
static bool find_end(cli_sweep_file *file, ic_error *error)
{
    const size_t chunk_sets = file->sweep->chunk_sets;
    long end = -1;
    errno = 0;
    switch (ic_part_count(&file->before, &end, file->stream, file->sweep, file->format->part)) {
    case IC_PART_READ: break;
    case IC_PART_DAMAGED: return refuse_damaged(file, end, error);
    /* Contents that cannot be read must not be cut off. */
    case IC_PART_UNREAD: return cli_cannot_write(error, file->part, strerror(errno != 0 ? errno : EIO));
    }
    file->first_chunk = (file->before.sets + chunk_sets - 1) / chunk_sets;
    return (end >= 0 && fseek(file->stream, end, SEEK_SET) == 0 && ftruncate(fileno(file->stream), end) == 0) ||
           cli_cannot_write(error, file->part, strerror(errno));
}

static bool start_part(cli_sweep_file *file, bool resume, ic_error *error)
{
    bool whole = false;
    if (resume && !same_header(file, &whole, error)) return false;
    if (whole) return find_end(file, error);
    rewind(file->stream);
    if (ftruncate(fileno(file->stream), 0) == 0 &&
        cli_sweep_file_append(file, file->header.data, file->header.n - 1))
        return true;
    return cli_cannot_write(error, file->part, strerror(errno));
}

static bool prepare_file(cli_sweep_file *file, const char *path, ic_error *error)
{
    if (!choose_format(file, path, error) || !check_path(path, error)) return false;
    file->path = cli_file_target(path);
    if (file->path == NULL) return cli_cannot_write(error, path, strerror(errno));
    const size_t size = strlen(file->path) + sizeof ".part";
    file->part = malloc(size);
    if (file->part != NULL) snprintf(file->part, size, "%s.part", file->path);
    make_header(file);
    ic_bytes_add(&file->header, "", 1);
    return (file->part != NULL && !file->header.failed) || cli_cannot_write(error, path, "memory ran out");
}

bool cli_sweep_file_open(cli_sweep_file *file, const ic_sweep *sweep, const char *path, bool resume,
                         ic_error *error)
{
    *file = (cli_sweep_file){.sweep = sweep};
    if (prepare_file(file, path, error) && open_part(file, resume, error)) {
        if (start_part(file, resume, error)) return true;
    }
    cli_sweep_file_close(file);
    return false;
}

/* ---- writing */

static bool note_why(cli_sweep_file *file, bool good)
{
    if (!good && file->why == 0) file->why = errno != 0 ? errno : EIO;
    return good;
}

bool cli_sweep_file_append(void *self, const void *bytes, size_t n)
{
    cli_sweep_file *file = self;
    errno = 0;
    return note_why(file, fwrite(bytes, 1, n, file->stream) == n);
}

bool cli_sweep_file_flush(cli_sweep_file *file)
{
    errno = 0;
    return note_why(file, fflush(file->stream) == 0 && !ferror(file->stream));
}

const char *cli_sweep_file_why(const cli_sweep_file *file)
{
    return cli_file_why(file->why);
}

bool cli_sweep_file_commit(cli_sweep_file *file, ic_error *error)
{
    if (!cli_sweep_file_flush(file) || !note_why(file, fsync(fileno(file->stream)) == 0))
        return cli_cannot_write(error, file->part, cli_sweep_file_why(file));
    if (!file->format->finish(file, error)) return false;
    cli_sweep_file_remove(file);
    return true;
}

void cli_sweep_file_remove(cli_sweep_file *file)
{
    unlink(file->part);
}

void cli_sweep_file_close(cli_sweep_file *file)
{
    if (file->stream != NULL) fclose(file->stream);
    free(file->path);
    free(file->part);
    free(file->header.data);
    *file = (cli_sweep_file){0};
}
