package outbound_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/outbound"
)

// A request has the greatest token of all answers before, or its caller's own.
func TestRequestsSayWhatWasSeen(t *testing.T) {
	t.Parallel()
	var got []string
	answers := []string{"02", "01", "", "03", ""}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Consistency-Token"))
		if token := answers[len(got)-1]; token != "" {
			w.Header().Set("Consistency-Token", token)
		}
	}))
	t.Cleanup(server.Close)
	client := http.Client{Transport: outbound.Consistent(nil)}
	for i := range answers {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if i == 3 {
			r.Header.Set("Consistency-Token", "own")
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if sent := r.Header.Get("Consistency-Token"); sent != "" && sent != "own" {
			t.Errorf("the caller's request was changed: %s", sent)
		}
	}
	if want := []string{"", "02", "02", "own", "03"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}
