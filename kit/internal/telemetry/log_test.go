package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/requestid"
)

func TestALineCarriesItsRequestAndNoSecret(t *testing.T) {
	var out bytes.Buffer
	log := telemetry.NewLogger(&out, slog.LevelInfo, true).With("apiKey", "hush1")
	ctx := requestid.With(context.Background(), "r1")
	log.InfoContext(ctx, "signed in", "user_id", 5, "password", "hush2", "accessToken", "hush3",
		slog.Group("header", "Cookie", "hush4", "accept", "text/csv"), "token_id", "shown", "totp", "hush5", "code", "hush6")
	log.DebugContext(ctx, "not written")

	if strings.Contains(out.String(), "hush") {
		t.Errorf("a secret is in the log: %s", &out)
	}
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v in %s", err, &out)
	}
	if line["request_id"] != "r1" || line["token_id"] != "shown" || line["user_id"] != 5.0 {
		t.Errorf("line %v", line)
	}
	if header, _ := line["header"].(map[string]any); header["accept"] != "text/csv" {
		t.Errorf("header %v", line["header"])
	}
}

func TestWhatIsSecretGoesByItsName(t *testing.T) {
	for name, want := range map[string]bool{
		"password": true, "newPassword": true, "X-API-Key": true, "refresh_token": true, "Set-Cookie": true,
		"totp": true, "code": true, "Authorization": true, "client_secret": true,
		"key_id": false, "status": false, "query": false, "monkeys": false, "id": false, "email": false,
	} {
		var out bytes.Buffer
		telemetry.NewLogger(&out, slog.LevelInfo, false).Info("x", name, "hush")
		if got := !strings.Contains(out.String(), "hush"); got != want {
			t.Errorf("%s is hidden: %v, want %v", name, got, want)
		}
	}
}

func TestADurationSaysItsUnit(t *testing.T) {
	for json, want := range map[bool]string{
		true:  `"first_us":250000,"wait_us":1500000,"job":{"took_us":90000000},"at":"x"}`,
		false: "first_us=250000 wait_us=1500000 job.took_us=90000000 at=x\n",
	} {
		var out bytes.Buffer
		log := telemetry.NewLogger(&out, slog.LevelInfo, json).With("first", 250*time.Millisecond)
		log.Info("x", "wait", 1500*time.Millisecond, slog.Group("job", "took", 90*time.Second), "at", "x")
		if !strings.HasSuffix(strings.TrimSpace(out.String())+"\n", strings.TrimSpace(want)+"\n") {
			t.Errorf("logged %s, want %s", &out, want)
		}
	}
}

func BenchmarkLine(b *testing.B) {
	log := telemetry.NewLogger(new(discard), slog.LevelInfo, true)
	ctx := requestid.With(context.Background(), "r1")
	b.ReportAllocs()
	for b.Loop() {
		log.LogAttrs(ctx, slog.LevelInfo, "request", slog.String("method", "GET"), slog.String("path", "/api/v1/users"),
			slog.Int("status", 200), slog.Int64("bytes", 1234), slog.Int64("user_id", 5))
	}
}

type discard struct{}

func (*discard) Write(b []byte) (int, error) { return len(b), nil }
