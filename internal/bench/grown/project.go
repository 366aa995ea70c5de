package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// project is the folder of one.
type project struct{ dir string }

func (p project) write(name, text string) error {
	return os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600)
}

func (p project) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=error")
	return cmd
}

// run runs a program and returns the CPU that it and its children took.
func (p project) run(name string, args ...string) (cpu time.Duration, err error) {
	cmd := p.command(name, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s %v: %w\n%s", name, args, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// warm compiles what the project does not have of its own.
func (p project) warm() error {
	list := p.command("go", "list", "-deps", "-f", "{{if or .Standard (not .Module.Main)}}{{.ImportPath}}{{end}}", "./cmd/notes")
	out, err := list.Output()
	if err != nil {
		return err
	}
	_, err = p.run("go", append([]string{"build"}, strings.Fields(string(out))...)...)
	return err
}

// measures are the lines of Go in the project, and the bytes of its program.
func (p project) measures() (lines int, size int64, err error) {
	files := os.DirFS(p.dir)
	err = fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasPrefix(name, "schema/") {
			return err
		}
		text, err := fs.ReadFile(files, name)
		lines += bytes.Count(text, []byte("\n"))
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	program, err := os.Stat(filepath.Join(p.dir, "bin/notes"))
	if err != nil {
		return 0, 0, err
	}
	return lines, program.Size(), nil
}

// started has the times of a start.
type started struct {
	wall, cpu time.Duration
	resident  int64 // bytes, at rest
}

// rest is when a process that has nothing to do has given back what it does not need.
const rest = 15 * time.Second

// start serves until the program is at rest, if that is asked for.
func (p project) start(rests bool) (s started, err error) {
	cmd := p.command(filepath.Join(p.dir, "bin/notes"), "serve")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return s, err
	}
	cmd.Stderr = os.Stderr
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return s, err
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Signal(syscall.SIGTERM))
		_, _ = io.Copy(io.Discard, out)
		err = errors.Join(err, cmd.Wait())
	}()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, " listens on ") {
		return s, fmt.Errorf("it says %q: %w", line, err)
	}
	s.wall = time.Since(begin)
	if s.cpu, err = cpuOf(cmd.Process.Pid); err != nil || !rests {
		return s, err
	}
	time.Sleep(rest)
	s.resident, err = residentOf(cmd.Process.Pid)
	return s, err
}

// cpuOf is the CPU that the process has taken, of Linux' 100 ticks a second.
func cpuOf(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// residentOf are the bytes of the process that are in memory.
func residentOf(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n << 10, err
		}
	}
	return 0, errors.New("the kernel does not say VmRSS")
}
