package monitoring_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/files/clamd/clamdtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// monitored are processes over a PostgreSQL with a standby, a slot that nothing reads and an
// archive that refuses, and over a Redis.
type monitored struct {
	*testing.T
	server      *pgserver.Server
	redis       *storetest.RedisServer
	serve, work *trial.Service
}

func startMonitored(t *testing.T) *monitored {
	t.Helper()
	m := &monitored{T: t, server: storetest.PostgresServer(t), redis: storetest.Redis(t)}
	m.server.Stop()
	m.server.Settings = []string{"wal_level=replica", "max_wal_senders=4", "hot_standby=on", "archive_mode=on", "archive_command=false"}
	if err := m.server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "standby-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	standby, err := m.server.Follow(t.Context(), filepath.Join(dir, "standby"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(standby.Stop)
	m.exec("SELECT pg_create_physical_replication_slot('unread', true)")
	address := m.server.URL("postgres") + "&sslrootcert=" + authority(t, time.Now().Add(90*time.Hour))
	settings := []string{
		"ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info", "ENTWINE_DATABASE_URL=" + address, "ENTWINE_REDIS_URL=" + m.redis.URL,
		"ENTWINE_TOKEN_KEYS=" + strings.Repeat("A", 43) + "=", "ENTWINE_SECRET_KEYS=" + strings.Repeat("B", 43) + "=",
	}
	m.serve = trial.Start(t, append(settings, "ENTWINE_WORKER=false")...)
	m.work = trial.StartWorker(t, append(settings, "ENTWINE_WORKER_ADDR=127.0.0.1:0")...)
	return m
}

func (m *monitored) exec(text string) {
	m.Helper()
	db := m.open()
	defer db.Close()
	if _, err := db.ExecContext(m.Context(), text); err != nil {
		m.Fatal(err)
	}
}

func (m *monitored) open() *sql.DB {
	m.Helper()
	db, err := sql.Open("postgres", m.server.URL("postgres"))
	if err != nil {
		m.Fatal(err)
	}
	return db
}

// authority is a file with a certificate that ends then.
func authority(t *testing.T, end time.Time) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	one := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: end.Add(-time.Hour), NotAfter: end}
	der, err := x509.CreateCertificate(rand.Reader, one, one, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Failures around a process are in its metrics.
func TestMetricsShowWhatGoesWrongAround(t *testing.T) {
	t.Parallel()
	m := startMonitored(t)
	s := m.serve
	m.exec("INSERT INTO api_keys (client_name, prefix, secret_hash, permissions, expires_at, created_at, updated_at) VALUES ('a', 'ek_a', '', '[]', now() + interval '1 day', now(), now())")
	s.Measures(m.T, "entwine_api_keys_ending", trial.Is(1))

	db := m.open()
	defer db.Close()
	m.exec("CREATE TABLE contested (id bigint)")
	open, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open.ExecContext(t.Context(), "LOCK TABLE contested; INSERT INTO contested VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() {
		_, err := db.ExecContext(t.Context(), "INSERT INTO contested VALUES (2)")
		waited <- err
	}()
	s.Measures(m.T, "entwine_lock_waits", trial.Is(1))
	s.Measures(m.T, "entwine_lock_wait_oldest_seconds", trial.Above(0.05))
	s.Measures(m.T, "entwine_event_held_oldest_seconds", trial.Above(0.05))
	if err := open.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; err != nil {
		t.Fatal(err)
	}
	s.Measures(m.T, "entwine_lock_waits", trial.Is(0))
	s.Measures(m.T, "entwine_event_held_oldest_seconds", trial.Is(0))

	m.exec("SELECT pg_switch_wal()")
	s.Measures(m.T, `entwine_replication_slot_bytes{slot="unread"}`, trial.Above(0))
	s.Measures(m.T, `entwine_replication_lag_bytes{standby="walreceiver"}`, trial.Is(0))
	s.Measures(m.T, "entwine_archive_failing", trial.Is(1))
	s.Measures(m.T, `entwine_certificate_end_timestamp_seconds{file="sslrootcert"}`, trial.Above(float64(time.Now().Add(80*time.Hour).Unix())))
	s.Measures(m.T, `entwine_disk_free_bytes{folder="data"}`, trial.Above(1<<20))

	for _, p := range []*trial.Service{s, m.work} {
		p.Measures(m.T, `entwine_part_away{needed="false",part="redis"}`, trial.Is(0))
	}
	m.redis.Stop()
	for _, p := range []*trial.Service{s, m.work} {
		p.Measures(m.T, `entwine_part_away{needed="false",part="redis"}`, trial.Is(1))
		p.Measures(m.T, `entwine_part_away{needed="true",part="database"}`, trial.Is(0))
	}
}

// A process goes on without the scanner of files, and says so.
func TestAScannerThatIsAwayIsSaid(t *testing.T) {
	t.Parallel()
	scanner := clamdtest.Start(t, "tcp", "127.0.0.1:0")
	s := trial.Start(t, "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info", "ENTWINE_FILES_SCANNER=clamd://"+scanner.Address)
	for _, away := range []bool{false, true, false} {
		scanner.Away.Store(away)
		status, check, figure := "ok", "ok", 0.0
		if away {
			status, check, figure = "degraded", "failed", 1
		}
		s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"`+status+`"`, `"scanner":"`+check+`"`)
		if all, text := trial.Scrape(t, s.Output); all[`entwine_part_away{needed="false",part="scanner"}`] != figure {
			t.Errorf("away %v: %s", away, text)
		}
	}
}

// A process goes on without its mail server and its identity provider, and says so.
func TestServicesThatAreAwayAreSaid(t *testing.T) {
	t.Parallel()
	away := trial.UnusedAddress(t)
	s := trial.Start(t, "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info", "ENTWINE_SMTP_URL=smtp://"+away,
		"ENTWINE_OIDC_ISSUER=http://"+away, "ENTWINE_OIDC_CLIENT_ID=entwine", "ENTWINE_OIDC_CLIENT_SECRET=the client's secret",
		"ENTWINE_OIDC_REDIRECT_URL=http://127.0.0.1/back", "ENTWINE_FRONTEND_URL=https://app.example.com/in")
	s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"degraded"`, `"mail":"failed"`, `"identity_provider":"failed"`, `"database":"ok"`)
	for _, part := range []string{"mail", "identity_provider"} {
		if all, text := trial.Scrape(t, s.Output); all[`entwine_part_away{needed="false",part="`+part+`"}`] != 1 {
			t.Errorf("%s is not away: %s", part, text)
		}
	}
	s = trial.Start(t, "ENTWINE_SMTP_URL="+trial.ServeMail(t, "smtp", "secret").URL)
	s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"ok"`, `"mail":"ok"`)
}

var metricForm = regexp.MustCompile(`\bentwine_[a-z0-9_]+`)

// Every metric that an alert or a panel asks for is one that processes show.
func TestMetricsThatAreAskedForAreShown(t *testing.T) {
	t.Parallel()
	m := startMonitored(t)
	exercise(t, m.serve)
	m.serve.Ask(t, "POST", "/api/v1/auth/register", `{"name":"Bob","email":"`+canaryText+`@example.com","password":"`+canaryText+`-1"}`).Want(t, 409)
	alone := trial.Start(t, "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info", trial.Planned("ENTWINE_API_LIFECYCLE=v1 deprecated={-24} sunset={48} successor=v2"))
	alone.Ask(t, "GET", "/api/v1/posts", "").Want(t, 200)
	trial.MustRun(t, alone.Dir, "backup", "copy.tar")
	alone.Measures(m.T, "entwine_backup_last_timestamp_seconds", trial.Above(float64(time.Now().Add(-time.Hour).Unix())))
	m.work.Measures(m.T, `entwine_jobs_total{kind="password_reset",outcome="succeeded"}`, trial.Is(1))
	var shown strings.Builder
	add := func(s *trial.Service) {
		_, text := trial.Scrape(t, s.Output)
		shown.WriteString(text)
	}
	add(m.work)
	m.work.Stop(t) // and this job waits
	m.serve.Ask(t, "POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`).Want(t, 200)
	add(m.serve)
	add(alone)
	for _, file := range []string{"alerts.yml", "dashboard.json"} {
		text, err := os.ReadFile("../../../doc/operations/monitoring/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range metricForm.FindAllString(string(text), -1) {
			if !strings.Contains(shown.String(), "\n"+name+"{") && !strings.Contains(shown.String(), "\n"+name+" ") {
				t.Errorf("%s asks for %s, which no process shows", file, name)
			}
		}
	}
}
