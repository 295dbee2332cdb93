/*
 * Preloaded into a server, it notes what each write to the embedded database replaces, and what has reached the disk. After
 * a kill, bench/power/cut.ts takes back what a power cut would have lost.
 *
 * A record is a struct record, then the bytes that were there before. All numbers are in the byte order of the machine.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, SYNC = 3 };

struct record {
  uint32_t type;
  uint32_t log; /* 1 for the write-ahead log, 0 for the database */
  uint64_t number;
  uint64_t offset;
  uint64_t length;
  uint64_t size; /* of the file, before */
  uint64_t kept; /* how many bytes follow; of a sync, the number of the last record before it began */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t number;
static int journal = -1;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("POWER_JOURNAL");
  if (path) journal = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* 0 for the database, 1 for its log, -1 for any other file */
static int kind(int fd) {
  char link[64], path[4096];
  if (journal < 0) return -1;
  char *end = link + sizeof link;
  *--end = 0;
  int rest = fd;
  do *--end = '0' + rest % 10; while (rest /= 10);
  end -= strlen("/proc/self/fd/");
  memcpy(end, "/proc/self/fd/", strlen("/proc/self/fd/"));
  ssize_t length = syscall(SYS_readlink, end, path, sizeof path - 1);
  if (length < 0) return -1;
  path[length] = 0;
  const char *name = strrchr(path, '/');
  if (!name) return -1;
  if (!strcmp(name, "/parley.db")) return 0;
  return strcmp(name, "/parley.db-wal") ? -1 : 1;
}

static void append(const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    ssize_t written = syscall(SYS_write, journal, at, length);
    if (written < 0) abort();
    at += written;
    length -= written;
  }
}

static void note(uint32_t type, int log, int fd, uint64_t offset, uint64_t length) {
  struct stat file;
  fstat(fd, &file);
  uint64_t size = file.st_size;
  uint64_t kept = offset >= size ? 0 : size - offset < length ? size - offset : length;
  char *bytes = malloc(kept + 1);
  for (uint64_t done = 0; done < kept;) {
    ssize_t got = syscall(SYS_pread64, fd, bytes + done, kept - done, offset + done);
    /* A connection that only writes cannot be read. */
    if (got <= 0) abort();
    done += got;
  }
  struct record record = {type, log, ++number, offset, length, size, kept};
  append(&record, sizeof record);
  append(bytes, kept);
  free(bytes);
}

static ssize_t written(int fd, const void *bytes, size_t length, off_t offset) {
  int log = kind(fd);
  if (log < 0) return syscall(SYS_pwrite64, fd, bytes, length, offset);
  pthread_mutex_lock(&lock);
  note(WRITE, log, fd, offset, length);
  ssize_t result = syscall(SYS_pwrite64, fd, bytes, length, offset);
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return written(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) { return written(fd, bytes, length, offset); }

ssize_t write(int fd, const void *bytes, size_t length) {
  if (kind(fd) < 0) return syscall(SYS_write, fd, bytes, length);
  off_t at = lseek(fd, 0, SEEK_CUR);
  ssize_t result = written(fd, bytes, length, at);
  if (result > 0) lseek(fd, at + result, SEEK_SET);
  return result;
}

static int truncated(int fd, off_t size) {
  int log = kind(fd);
  if (log < 0) return syscall(SYS_ftruncate, fd, size);
  pthread_mutex_lock(&lock);
  struct stat file;
  fstat(fd, &file);
  note(TRUNCATE, log, fd, size, file.st_size > size ? file.st_size - size : 0);
  int result = syscall(SYS_ftruncate, fd, size);
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t size) { return truncated(fd, size); }
int ftruncate64(int fd, off_t size) { return truncated(fd, size); }

/* What was written after a sync has begun may not be part of it. */
static int synced(int fd, long call) {
  int log = kind(fd);
  if (log < 0) return syscall(call, fd);
  pthread_mutex_lock(&lock);
  uint64_t before = number;
  pthread_mutex_unlock(&lock);
  int result = syscall(call, fd);
  if (result != 0 || getenv("POWER_LIES")) return result;
  pthread_mutex_lock(&lock);
  struct record record = {SYNC, log, ++number, 0, 0, 0, before};
  append(&record, sizeof record);
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
