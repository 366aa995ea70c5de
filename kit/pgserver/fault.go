package pgserver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Signal sends the signal to the server's main process.
func (s *Server) Signal(sig os.Signal) error { return s.process.Process.Signal(sig) }

// Stop shuts the server down (fast shutdown) and waits for its end.
func (s *Server) Stop() {
	_ = s.Signal(syscall.SIGINT)
	<-s.exited
	s.untie()
}

// Kill ends all processes of the server by SIGKILL, as a power cut would, and waits
// for their end.
func (s *Server) Kill() {
	children, _ := s.children()
	_ = s.process.Process.Kill()
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-s.exited
	for _, pid := range children {
		for runs(pid) { // it holds the shared memory
			time.Sleep(time.Millisecond)
		}
	}
	s.untie()
	file := filepath.Join(s.Dir, "data", "postmaster.pid")
	freeMemory(file)
	_ = os.Remove(file)
}

// freeMemory removes the segment of shared memory that the server of a postmaster.pid has:
// after a kill it would stay, and the system allows some thousands of them.
func freeMemory(file string) {
	text, _ := os.ReadFile(file)
	lines := strings.Split(string(text), "\n")
	if len(lines) < 7 {
		return
	}
	if words := strings.Fields(lines[6]); len(words) == 2 { // its key and its number
		_ = exec.Command("ipcrm", "-m", words[1]).Run()
	}
}

// runs reports whether the process is there and not only waits for its
// parent to ask how it ended.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, found := strings.Cut(string(stat), ") ")
	return err == nil && found && state[0] != 'Z' && state[0] != 'X'
}

// Pause stops all processes of the server by SIGSTOP: connections are accepted by the
// system and nothing is answered, until [Server.Resume].
func (s *Server) Pause() error { return s.signalAll(syscall.SIGSTOP) }

// Resume lets the server run again after Pause.
func (s *Server) Resume() error { return s.signalAll(syscall.SIGCONT) }

func (s *Server) signalAll(sig syscall.Signal) error {
	children, err := s.children()
	errs := []error{err, s.Signal(sig)}
	for _, pid := range children {
		if err := syscall.Kill(pid, sig); !errors.Is(err, syscall.ESRCH) { // it may have just ended
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// children are the server's processes beside the main one.
func (s *Server) children() (pids []int, err error) {
	pid := s.process.Process.Pid
	list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return nil, err
	}
	for field := range strings.FieldsSeq(string(list)) {
		child, err := strconv.Atoi(field)
		if err != nil {
			return nil, err
		}
		pids = append(pids, child)
	}
	return pids, nil
}
