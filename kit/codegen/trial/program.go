package trial

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/entwine-go/entwine/kit/account"
)

// issuer is the name that tokens are issued in, of both programs.
const issuer = "http://localhost"

// keys are those of the programs, made anew for each trial: tokens of production are good
// for nothing here, and the other way round.
type keys struct{ token, secret string }

func newKeys() keys {
	key := func() string {
		b := make([]byte, 32)
		_, _ = rand.Read(b) // never fails
		return base64.StdEncoding.EncodeToString(b)
	}
	return keys{key(), key()}
}

// served starts a program on the copy, calls do with what asks it, and stops it.
func (t *Trial) served(ctx context.Context, c *copied, program string, do func(*asker) error) (err error) {
	k := newKeys()
	dir, err := os.MkdirTemp("", "entwine-trial-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p := &serving{faults: map[string]string{}, ready: make(chan string, 1), ended: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, program, "serve")
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 10 * time.Second
	p.cmd.Dir = dir
	p.cmd.Env = append(
		kept(os.Environ(), "PATH", "HOME", "TMPDIR", "TZ", "LANG"),
		"ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_DATA_DIR="+dir, "ENTWINE_DATABASE_URL="+c.url, "ENTWINE_PUBLIC_URL="+issuer,
		"ENTWINE_TOKEN_KEYS="+k.token, "ENTWINE_SECRET_KEYS="+k.secret, "ENTWINE_REHEARSAL=true", "ENTWINE_MIGRATE=false",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_IN_FLIGHT=0", "ENTWINE_LOG_FORMAT=json", "ENTWINE_LOG_LEVEL=info", "ENTWINE_LOG_REQUESTS=0", "ENTWINE_EXPLAIN=0",
	)
	lines, err := p.cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go p.hear(lines)
	defer func() {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		<-p.ended
		_ = p.cmd.Wait()
	}()
	select {
	case address := <-p.ready:
		a := newAsker("http://"+address, p.fault)
		if a.tokens, err = t.tokens(ctx, c, k); err != nil {
			return err
		}
		return do(a)
	case <-p.ended:
		return fmt.Errorf("%s does not serve: %s", program, p.last())
	case <-ctx.Done():
		return ctx.Err()
	}
}

func kept(environ []string, names ...string) (all []string) {
	for _, pair := range environ {
		for _, name := range names {
			if strings.HasPrefix(pair, name+"=") {
				all = append(all, pair)
			}
		}
	}
	return all
}

// serving is a program that answers requests.
type serving struct {
	cmd   *exec.Cmd
	ready chan string // its address
	ended chan struct{}

	mu     sync.Mutex
	faults map[string]string // what it logged, by the request's id
	tail   []string
}

// hear reads what the program logs.
func (p *serving) hear(lines io.Reader) {
	defer close(p.ended)
	scan := bufio.NewScanner(lines)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var line struct {
			Level     string `json:"level"`
			Address   string `json:"address"`
			RequestID string `json:"request_id"`
			Err       string `json:"err"`
		}
		if json.Unmarshal(bytes.TrimSpace(scan.Bytes()), &line) != nil {
			line.Level = "ERROR" // it is no log
		}
		if line.Address != "" {
			select {
			case p.ready <- line.Address:
			default:
			}
		}
		p.mu.Lock()
		if line.RequestID != "" && line.Err != "" && len(p.faults) < 10_000 {
			p.faults[line.RequestID] = line.Err
		}
		if p.tail = append(p.tail, scan.Text()); len(p.tail) > 5 {
			p.tail = p.tail[1:]
		}
		p.mu.Unlock()
	}
	_, _ = io.Copy(io.Discard, lines) // a line that is too long ends the scan
}

// fault is the program's log of a request.
func (p *serving) fault(id string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults[id]
}

// last is its last line of the log.
func (p *serving) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.tail, "\n")
}

// tokens are access tokens of the users who ask, by their ids: of those whom the copy has.
func (t *Trial) tokens(ctx context.Context, c *copied, k keys) (map[int64]string, error) {
	all := map[int64]string{}
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	signing, err := account.NewKeys([]string{k.token})
	if err != nil {
		return nil, err
	}
	keeper := &account.Gatekeeper{DB: db, Issuer: &account.Issuer{Keys: signing, Name: issuer}}
	users := &account.Directory{DB: db}
	for _, r := range t.Requests {
		if _, has := all[r.User]; has || r.User <= 0 {
			continue
		}
		who, err := users.ByID(ctx, r.User)
		if err != nil {
			return nil, err
		}
		if all[r.User] = ""; who == nil || !who.Active {
			continue
		}
		token, err := keeper.Pass(ctx, who, 24*time.Hour)
		if err != nil {
			return nil, err
		}
		all[r.User] = token.Text
	}
	return all, nil
}
