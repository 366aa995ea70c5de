package operators_test

import (
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

func TestServeWorksInTheBackground(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	listed := s.Until(t, "purge  bulk   succeeded", "jobs", "list", "--kind", "purge")
	id := regexp.MustCompile(`(?m)^(\d+) .* succeeded`).FindStringSubmatch(listed)[1]
	shown := trial.MustRun(t, s.Dir, "jobs", "show", id)
	for _, want := range []string{"status       succeeded", "progress     100%", "attempts     1 of 10"} {
		if !strings.Contains(shown, want) {
			t.Errorf("jobs show lacks %q:\n%s", want, shown)
		}
	}
	if out := trial.MustRun(t, s.Dir, "jobs", "stats"); !strings.Contains(out, "succeeded") {
		t.Errorf("jobs stats:\n%s", out)
	}
	for args, want := range map[string]string{
		"jobs retry " + id:             "job " + id + ": the job is succeeded: it can't be retried",
		"jobs cancel " + id + " 99999": "job 99999: job not found",
		"jobs show 99999":              "there is no job 99999",
		"jobs retry one":               `"one" is not the id of a job`,
		"jobs list --status weird":     `"weird" is no state of a job`,
	} {
		if _, errs, code := trial.Run(t, s.Dir, strings.Fields(args)...); code == 0 || !strings.Contains(errs, want) {
			t.Errorf("entwine %s: exit code %d, %q, want %q", args, code, errs, want)
		}
	}
}

// The owner of a job may not read why its mail is not delivered; operators
// get a reference to the log entry.
func TestOperatorsFindWhyAJobFailed(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(testing.TB) string{"sqlite": migratetest.Schema(t).SQLiteURL, "postgres": migratetest.Schema(t).PostgresURL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := url(t)
			s := trial.Start(t, "ENTWINE_DATABASE_URL="+database, "ENTWINE_SMTP_URL=smtp://127.0.0.1:1", "ENTWINE_LOG_FORMAT=json")
			s.SignUp(t)
			s.Ask(t, "POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`).Want(t, 200)
			listed := s.Until(t, "internal error", "jobs", "list", "--kind", "password_reset", "--database-url", database)
			found := regexp.MustCompile(`(?m)^(\d+) .* internal error: the worker's log has the reason, at job_id (\d+)$`).FindStringSubmatch(listed)
			if found == nil || found[1] != found[2] {
				t.Fatalf("jobs list does not say where the reason is:\n%s", listed)
			}
			if shown := trial.MustRun(t, s.Dir, "jobs", "show", found[1], "--database-url", database); !strings.Contains(shown, "at job_id "+found[1]+"\n") {
				t.Errorf("jobs show does not say where the reason is:\n%s", shown)
			}
			logged := regexp.MustCompile(`(?m)^.*"msg":"job failed".*"job_id":` + found[1] + `,.*$`).FindString(s.Output.String())
			if !strings.Contains(logged, "connection refused") {
				t.Errorf("the log does not have the reason: %s", s.Output)
			}
		})
	}
}

// A Redis that is away is said at the start by its setting, and nothing else waits for it.
func TestARedisThatIsAwayIsNamed(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_REDIS_URL=redis://:secret@127.0.0.1:1/0")
	s.Output.Wait(t, "Redis does not answer: is ENTWINE_REDIS_URL right?")
	s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 200)
	if log := s.Output.String(); !strings.Contains(log, "127.0.0.1:1") || strings.Contains(log, "secret") {
		t.Error(log)
	}
}

func TestAWorkerWorksBesideServe(t *testing.T) {
	t.Parallel()
	database, redis := migratetest.Schema(t).PostgresURL(t), storetest.Redis(t)
	shared := []string{"ENTWINE_DATABASE_URL=" + database, "ENTWINE_REDIS_URL=" + redis.URL, "ENTWINE_WORKER=false"}
	s := trial.Start(t, shared...)
	s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"redis":"ok"`)

	worker := trial.Command(t, s.Dir, "worker")
	worker.Env = append(worker.Env, shared...)
	out, err := worker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, len("entwine works\n"))
	if _, err := out.Read(first); err != nil || string(first) != "entwine works\n" {
		t.Fatalf("the worker says %q, %v", first, err)
	}
	list := []string{"jobs", "list", "--kind", "purge", "--database-url", database, "--redis-url", redis.URL}
	s.Until(t, "purge  bulk   succeeded", list...)
	redis.Stop()
	s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"degraded"`, `"redis":"failed"`)
	if err := worker.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := worker.Wait(); err != nil {
		t.Errorf("the worker ended with %v", err)
	}
}

func TestAWorkerAloneNeedsRedis(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"worker":               "ENTWINE_REDIS_URL is needed",
		"serve --worker=false": "ENTWINE_WORKER=false needs ENTWINE_REDIS_URL",
	} {
		if _, errs, code := trial.Run(t, t.TempDir(), strings.Fields(args)...); code != 1 || !strings.Contains(errs, want) {
			t.Errorf("entwine %s: exit code %d, %q", args, code, errs)
		}
	}
}
