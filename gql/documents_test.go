package gql_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/kit/documents"
	"github.com/entwine-go/entwine/kit/graph"
)

func TestDocumentsThatAreNamed(t *testing.T) {
	each(t, func(w *world) {
		const text = `query($id: ID!) { user(id: $id) { name } }`
		sum := sha256.Sum256([]byte(text))
		hash := hex.EncodeToString(sum[:])
		registry := &documents.Registry{DB: w.db}
		if _, err := registry.Add(w.Context(), []documents.Document{{Key: "a1b2", Text: `{ trusted: __typename }`}}); err != nil {
			w.Fatal(err)
		}
		options := graph.Options{Logger: slog.New(slog.DiscardHandler), Documents: registry}
		open := &world{T: w.T, Handler: over(w, w.db, options), viewers: w.viewers}
		options.TrustedOnly = true
		only := &world{T: w.T, Handler: over(w, w.db, options), viewers: w.viewers}

		named := fmt.Sprintf(`"variables":{"id":"1"},"extensions":{"persistedQuery":{"version":1,"sha256Hash":"%s"}}`, hash)
		for _, c := range []struct {
			to         *world
			body, want string
		}{
			{open, `{` + named + `}`, `"message":"PersistedQueryNotFound"`},
			{open, `{` + named + `}`, `{"code":"PERSISTED_QUERY_NOT_FOUND","status":404}`},
			{open, `{"query":"{ __typename }",` + named + `}`, `is not the SHA-256 hash`},
			{open, `{"query":"` + text + `",` + named + `}`, `{"user":{"name":"Ada"}}`},
			{open, `{` + named + `}`, `{"user":{"name":"Ada"}}`},
			{open, `{"documentId":"sha256:` + hash + `","variables":{"id":"1"}}`, `{"user":{"name":"Ada"}}`},
			{open, `{"documentId":"a1b2"}`, `{"trusted":"Query"}`},
			{open, `{"doc_id":"a1b2"}`, `{"trusted":"Query"}`},
			{open, `{"documentId":"sha256:a1b2"}`, `{"trusted":"Query"}`},
			{only, `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"sha256:a1b2"}}}`, `{"trusted":"Query"}`},
			{open, `{"extensions":{"persistedQuery":{"version":2,"sha256Hash":"x"}}}`, `version must be 1`},
			{open, `{"extensions":{"persistedQuery":7}}`, `must be an object`},
			{open, `{"extensions":{}}`, `query is required`},
			{only, `{"documentId":"a1b2"}`, `{"trusted":"Query"}`},
			{only, `{"query":"{ trusted: __typename }"}`, `{"trusted":"Query"}`},
			{only, `{"query":"{ __typename }"}`, `the document is not among the trusted ones`},
			{only, `{"query":"` + text + `",` + named + `}`, `"code":"FORBIDDEN"`},
			{only, `{` + named + `}`, `"message":"PersistedQueryNotFound"`},
		} {
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(c.body))
			r.Header.Set("Content-Type", "application/json")
			if got := c.to.raw("bob", r); !strings.Contains(got, c.want) {
				w.Errorf("%s: %s, want %s", c.body, got, c.want)
			}
		}
		get := httptest.NewRequest(http.MethodGet, "/graphql?variables="+url.QueryEscape(`{"id":"1"}`)+
			"&extensions="+url.QueryEscape(`{"persistedQuery":{"version":1,"sha256Hash":"`+hash+`"}}`), nil)
		if got := open.raw("bob", get); !strings.Contains(got, `{"user":{"name":"Ada"}}`) {
			w.Errorf("by GET: %s", got)
		}
	})
}

// A hash stands for a document over WebSockets as it does over HTTP.
func TestDocumentsThatAreNamedOverASocket(t *testing.T) {
	onStage(t, func(s *stage) {
		registry := &documents.Registry{DB: s.db}
		manifest, err := documents.ParseManifest(strings.NewReader(`{"sha256:a1b2":"subscription($id: ID!) { jobProgress(id: $id) { status } }"}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := registry.Add(s.Context(), manifest); err != nil {
			t.Fatal(err)
		}
		done := s.job()
		for _, status := range []job.Status{job.StatusRunning, job.StatusSucceeded} {
			s.client.Job.UpdateOne(done).SetStatus(status).ExecX(s.system())
		}
		for _, named := range []string{`"documentId":"sha256:a1b2"`, `"documentId":"a1b2"`, `"doc_id":"a1b2"`, `"id":"a1b2"`} {
			e := s.hear("bob").accepted()
			e.say(fmt.Sprintf(`{"id":"s","type":"subscribe","payload":{%s,"variables":{"id":"%d"}}}`, named, done.ID))
			e.wants(`{"id":"s","type":"next","payload":{"data":{"jobProgress":{"status":"succeeded"}}}}`)
			e.wants(`{"id":"s","type":"complete"}`)
		}
		e := s.hear("bob").accepted()
		e.say(`{"id":"s","type":"subscribe","payload":{"documentId":"nothing"}}`)
		e.wants(`{"id":"s","type":"error","payload":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND","status":404}}]}`)
	})
}
