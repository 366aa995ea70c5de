package stream_test

import (
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/entwine-go/entwine/kit/events"
)

func TestAnEventStream(t *testing.T) {
	inBubble(t, func(w *world) {
		res, body := w.events("feed", "Authorization", "7")
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" || res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("answered %d %v", res.StatusCode, res.Header)
		}
		w.reads(body, ":\n\n")
		w.feed(0).next <- `{"data":1}`
		w.reads(body, "event: next\ndata: {\"data\":1}\n\n")
		w.reads(body, ":\n\n") // 15 s later
		w.feed(0).end <- io.EOF
		w.reads(body, "event: complete\ndata: \n\n")
		if _, err := body.ReadByte(); err != io.EOF {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestHowAnEventStreamEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(w *world)
		text string
		err  error
	}{
		{"with the process", func(w *world) { w.Drain(w.Context()) }, "", io.ErrUnexpectedEOF},
		{"with the events", func(w *world) { w.feed(0).end <- events.ErrClosed }, "", io.ErrUnexpectedEOF},
		{"for a reader that is too slow", func(w *world) { w.feed(0).end <- events.ErrSlow }, "", io.ErrUnexpectedEOF},
		{"with the credentials", func(*world) {}, ":\n\nevent: next\ndata: {\"errors\":\"token expired\"}\n\nevent: complete\ndata: \n\n", io.EOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				_, body := w.events("feed", "Authorization", "7/20")
				w.reads(body, ":\n\n")
				w.feed(0)
				go c.end(w)
				w.reads(body, c.text)
				for {
					if _, err := body.ReadByte(); err != nil {
						if !errors.Is(err, c.err) {
							t.Errorf("it ended with %v, want %v", err, c.err)
						}
						break
					}
				}
				synctest.Wait()
				if !w.feed(0).closed.Load() {
					t.Error("the operation goes on")
				}
			})
		})
	}
}

func TestWhatAnEventStreamRefuses(t *testing.T) {
	inBubble(t, func(w *world) {
		if res, _ := w.events("bad"); res.StatusCode != http.StatusBadRequest {
			t.Errorf("a bad document is answered %d", res.StatusCode)
		}
		for range 3 {
			w.events("feed")
		}
		if res, _ := w.events("feed"); res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a fourth stream is answered %d", res.StatusCode)
		}
	})
}

func TestAClientThatLeavesAnEventStream(t *testing.T) {
	inBubble(t, func(w *world) {
		res, _ := w.events("feed")
		feed := w.feed(0)
		_ = res.Body.Close()
		for began := time.Now(); !feed.closed.Load(); synctest.Wait() {
			if time.Since(began) > 30*time.Second {
				t.Fatal("the operation goes on")
			}
			time.Sleep(time.Second)
		}
	})
}
