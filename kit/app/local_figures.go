package app

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/internal/backup"
	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// watchMachine has Prometheus read how much room there is on this machine, when the
// data was copied, and which certificates of this machine end.
func (h *Host) watchMachine(m *telemetry.Metrics) {
	dirs := map[string]string{"data": h.Config.DataDir}
	if file, ok, err := store.SQLiteFile(h.Config.Database.URL); ok && err == nil {
		dirs["database"] = filepath.Dir(file)
	}
	room := func(value func(free, all uint64) float64) func(context.Context, func(float64, ...string)) error {
		return func(_ context.Context, add func(float64, ...string)) error {
			for of, dir := range dirs {
				if free, all := store.Room(dir); all > 0 {
					add(value(free, all), of)
				}
			}
			return nil
		}
	}
	m.Watch(
		telemetry.Figure{Name: "disk_free_bytes", Help: "How much may be written to the file system of the folder.", Labels: []string{"folder"}, Read: room(func(free, _ uint64) float64 { return float64(free) })},
		telemetry.Figure{Name: "disk_bytes", Help: "How large that file system is.", Labels: []string{"folder"}, Read: room(func(_, all uint64) float64 { return float64(all) })},
		telemetry.Figure{Name: "backup_last_timestamp_seconds", Help: "When the data was last copied by the command backup with these settings, in seconds since 1970; 0 for never.", Read: h.last(backup.Made)},
		telemetry.Figure{Name: "backup_failing_timestamp_seconds", Help: "Since when backup --follow or --every makes no copy with these settings, in seconds since 1970; 0 where the last one was made.", Read: h.last(backup.Failing)},
		telemetry.Figure{Name: "backup_drill_timestamp_seconds", Help: "When the command drill last restored a backup aside and found it good, in seconds since 1970; 0 for never.", Read: h.last(backup.Tried)},
		telemetry.Figure{Name: "certificate_end_timestamp_seconds", Help: "When the first certificate in a file that the address of the database names ends, in seconds since 1970.", Labels: []string{"file"}, Read: func(_ context.Context, add func(float64, ...string)) error {
			for parameter, file := range certificateFiles(h.Config.Database.URL) {
				if end, ok := certificateEnd(file); ok {
					add(float64(end.Unix()), parameter)
				}
			}
			return nil
		}},
	)
	if h.service.Accounts != nil {
		m.Watch(telemetry.Figure{Name: "api_keys_ending", Help: "API keys that expire in the next 14 days, as it was within the last ten minutes.", Read: h.endingKeys().read})
	}
}

// last reads when something was last done to the data, which is nothing on a server
// whose data the command does not copy.
func (h *Host) last(what string) func(context.Context, func(float64, ...string)) error {
	return func(_ context.Context, add func(float64, ...string)) error {
		if !h.DB.Dialect.Embedded() {
			return nil
		}
		at, err := backup.Last(h.Config.DataDir, what)
		if err == nil {
			add(float64(at.Unix()))
		}
		return err
	}
}

// certificateFiles are those that a URL of PostgreSQL names, by its parameters.
func certificateFiles(address string) map[string]string {
	files := map[string]string{}
	u, err := url.Parse(store.HostsURL(address))
	if err != nil {
		return files
	}
	for _, parameter := range []string{"sslcert", "sslrootcert"} {
		if file := u.Query().Get(parameter); file != "" {
			files[parameter] = file
		}
	}
	return files
}

// certificateEnd is when the first certificate in a file of PEM ends.
func certificateEnd(file string) (end time.Time, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return end, false
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err == nil && (!ok || c.NotAfter.Before(end)) {
			end, ok = c.NotAfter, true
		}
	}
	return end, ok
}

// endingKeys counts the API keys that expire soon, every ten minutes at most.
type endingKeys struct {
	db    *store.DB
	count statement.Statement

	mu   sync.Mutex
	keys int
	at   time.Time
}

// endingKeys counts in the table of API keys, all of which it reads: there are as many
// as programs that call, and no index is worth having for this.
func (h *Host) endingKeys() *endingKeys {
	table := h.keyring(h.DB).Keys.Table
	return &endingKeys{db: h.DB, count: statement.Of(`SELECT COUNT(*) FROM ` + table + ` WHERE revoked_at IS NULL AND expires_at > now() AND expires_at < later(1209600)`)}
}

func (e *endingKeys) read(ctx context.Context, add func(float64, ...string)) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Since(e.at) > 10*time.Minute {
		var n int
		if _, err := e.count.Row(ctx, e.db, []any{&n}); err != nil {
			return err
		}
		e.keys, e.at = n, time.Now()
	}
	add(float64(e.keys))
	return nil
}
