package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// mostBytes bounds what a process writes.
const mostBytes = 256 << 20

// Writer writes requests to a file until its time is over or the file is full.
type Writer struct {
	until time.Time
	now   func() time.Time
	// over is called once, with the reason for which nothing is written any more.
	over func(reason string)

	mu   sync.Mutex
	file *os.File // nil when it is over
	left int
}

// Create opens a file, which only its owner can read, and writes the head. Requests of
// another process that are in it stay. over is called when no more is written: at the
// time until, when the process has written 256 MiB, or when the disk fails.
func Create(name string, head Head, now func() time.Time, over func(reason string)) (*Writer, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("others can read %s: run chmod 600 %s", name, name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	w := &Writer{until: head.Until, now: now, over: over, file: file, left: mostBytes}
	head.Recording, head.Began = format, now().UTC()
	return w, w.line(head)
}

// Open reports whether requests are still written.
func (w *Writer) Open() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file != nil && !w.now().Before(w.until) {
		w.end("its time is over")
	}
	return w.file != nil
}

// Write writes a request.
func (w *Writer) Write(r Request) {
	if !w.Open() {
		return
	}
	if err := w.line(r); err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.end(err.Error())
	}
}

// line writes one line in one write, so that lines of several processes don't mix.
func (w *Writer) line(of any) error {
	text, err := json.Marshal(of)
	if err != nil || len(text) >= longestLine {
		return err // a request that is too long is left out
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	if w.left -= len(text) + 1; w.left < 0 {
		return errors.New("the process has written all that it may")
	}
	_, err = w.file.Write(append(text, '\n'))
	return err
}

// Close ends the file.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file = nil
	return err
}

// end closes the file for good. The caller has the lock.
func (w *Writer) end(reason string) {
	if w.file != nil {
		_ = w.file.Close()
		w.file = nil
		w.over(reason)
	}
}
