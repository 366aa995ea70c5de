package rest_test

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	_ "github.com/entwine-go/entwine/kit/files/webp" // of the field that declares it
	"github.com/entwine-go/entwine/kit/viewer"
)

// sized is the size of a picture.
func sized(t testing.TB, content string) string {
	t.Helper()
	c, kind, err := image.DecodeConfig(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %d × %d", kind, c.Width, c.Height)
}

func TestAVariantIsMadeWhenItIsAskedFor(t *testing.T) {
	each(t, func(w *world) {
		address := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar&name=ada.jpg", snapshot(1200, 900), "Content-Type", "image/jpeg").want(201).data()["url"].(string)
		w.send(w.bob, "GET", address+"?variant=small", "").want(404)
		w.avatar(w.ada, w.ada, address).want(200)
		if w.stored() != 1 {
			w.t.Errorf("%d are stored before any was asked for", w.stored())
		}
		small := w.send(w.bob, "GET", address+"?variant=small", "").want(200)
		if got := sized(w.t, small.Raw); got != "jpeg 96 × 96" {
			w.t.Errorf("the small one is %s", got)
		}
		large := w.send(w.bob, "GET", strings.Replace(address, "/api/", "/api/v2/", 1)+"?variant=large", "").want(200)
		if got := sized(w.t, large.Raw); got != "jpeg 384 × 512" { // it was held upright
			w.t.Errorf("the large one is %s", got)
		}

		// It is served as the original is.
		tag := small.Header.Get("Etag")
		if tag == "" || tag == large.Header.Get("Etag") || small.Header.Get("Content-Disposition") != "inline; filename=ada.jpg" || small.Header.Get("Content-Security-Policy") == "" {
			w.t.Errorf("its header is %v", small.Header)
		}
		w.send(w.bob, "GET", address+"?variant=small", "", "If-None-Match", tag).want(304)
		if part := w.send(w.bob, "GET", address+"?variant=small", "", "Range", "bytes=5-9", "If-Range", tag).want(206); part.Raw != small.Raw[5:10] {
			w.t.Errorf("a part is %q", part.Raw)
		}
		w.send(w.nobody, "GET", address+"?variant=small", "").want(404)

		for _, name := range []string{"huge", "Small", "small "} {
			a := w.send(w.bob, "GET", address+"?variant="+strings.ReplaceAll(name, " ", "%20"), "").want(400)
			if !strings.Contains(a.Raw, "must be one of small, large") {
				w.t.Errorf("%q: %s", name, a.Raw)
			}
			w.send(w.bob, "GET", address+"/link?variant="+strings.ReplaceAll(name, " ", "%20"), "").want(400)
		}

		// A smaller picture is served unchanged.
		little := w.upload(w.ada, picture(9))
		if got := w.send(w.ada, "GET", little+"?variant=large", "").want(200); got.Raw != picture(9) {
			w.t.Errorf("a picture of 10 × 1 becomes %s", sized(w.t, got.Raw))
		}

		report, err := w.files.Check(w.t.Context(), true)
		if err != nil || !report.Sound() || report.Files != 2 || w.stored() != 4 {
			w.t.Errorf("%+v, %v, %d stored: want two files, and four that are stored", report, err, w.stored())
		}
	})
}

func TestVariantsGoWithTheirOriginal(t *testing.T) {
	each(t, func(w *world) {
		address := w.upload(w.ada, snapshot(300, 200))
		w.avatar(w.ada, w.ada, address).want(200)
		w.send(w.bob, "GET", address+"?variant=small", "").want(200)
		w.avatar(w.ada, w.ada, "").want(200)
		w.send(w.bob, "GET", address+"?variant=small", "").want(404)

		// It comes back with its row before the sweep, and its variant with it.
		w.avatar(w.ada, w.ada, address).want(200)
		w.swept(0)
		w.send(w.bob, "GET", address+"?variant=small", "").want(200)
		if w.stored() != 2 {
			w.t.Errorf("%d are stored", w.stored())
		}
		w.send(w.ada, "DELETE", address, "").want(204)
		w.swept(2)
		if w.stored() != 0 {
			w.t.Errorf("%d are stored after the sweep", w.stored())
		}

		// An upload that no row ever had.
		address = w.upload(w.ada, snapshot(300, 200))
		w.send(w.ada, "GET", address+"?variant=small", "").want(200)
		if _, err := w.db.ExecContext(w.system, "UPDATE files SET created_at = '2020-01-02 03:04:05+00:00'"); err != nil {
			w.t.Fatal(err)
		}
		w.swept(2)
		if w.stored() != 0 {
			w.t.Errorf("%d are stored after a day", w.stored())
		}
		if names, err := w.files.Collect(w.t.Context(), time.Now().Add(time.Hour)); err != nil || len(names) > 0 {
			w.t.Errorf("%v are without a row (%v)", names, err)
		}
	})
}

func TestManyMakersOfOneVariant(t *testing.T) {
	each(t, func(w *world) {
		address := w.upload(w.ada, snapshot(300, 200))
		w.avatar(w.ada, w.ada, address).want(200)
		key := strings.TrimPrefix(address, "/api/files/")
		// Another process has a keeper of its own.
		other := &files.Keeper{Log: w.files.Log, DB: w.files.DB, Store: w.files.Store, Reader: w.files.Reader, Engine: w.files.Engine, Targets: w.files.Targets}
		ctx := viewer.With(w.t.Context(), w.ada)
		var all sync.WaitGroup
		made := make([]*files.File, 20)
		for i := range made {
			k := []*files.Keeper{w.files, other}[i%2]
			all.Go(func() {
				f, err := k.Find(ctx, key)
				if err == nil {
					made[i], err = k.Variant(ctx, f, "small")
				}
				if err != nil {
					w.t.Error(err)
				}
			})
		}
		all.Wait()
		for _, f := range made {
			if f == nil || f.Stored != made[0].Stored {
				w.t.Fatalf("two makers have %v and %v", f, made[0])
			}
		}
		if w.stored() != 2 {
			w.t.Errorf("%d are stored, want the original and one variant", w.stored())
		}
		report, err := w.files.Check(w.t.Context(), true)
		if err != nil || !report.Sound() {
			w.t.Errorf("%+v, %v", report, err)
		}
	})
}

func TestALinkIsToOneVariant(t *testing.T) {
	each(t, func(w *world) {
		address := w.upload(w.ada, snapshot(300, 200))
		w.avatar(w.ada, w.ada, address).want(200)
		link := w.send(w.bob, "GET", address+"/link?variant=small", "").want(200).data()["url"].(string)
		if got := w.send(w.nobody, "GET", link, "").want(200); sized(w.t, got.Raw) != "jpeg 96 × 96" {
			w.t.Errorf("the link has %s", sized(w.t, got.Raw))
		}
		w.send(w.nobody, "GET", strings.Replace(link, "variant=small", "variant=large", 1), "").want(403)
		w.send(w.nobody, "GET", strings.Replace(link, "&variant=small", "", 1), "").want(403)
	})
}

// A field that declares another Format has its variants made anew.
func TestAVariantIsMadeAsWebP(t *testing.T) {
	each(t, func(w *world) {
		address := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar&name=ada.jpg", snapshot(1200, 900), "Content-Type", "image/jpeg").want(201).data()["url"].(string)
		before := w.send(w.ada, "GET", address+"?variant=small", "").want(200)
		if got := sized(w.t, before.Raw); got != "jpeg 96 × 96" {
			w.t.Errorf("the variant is %s", got)
		}
		w.files.Targets = slices.Clone(w.files.Targets)
		for i, t := range w.files.Targets {
			if t.Name() == "profile.avatar" {
				field, rule := *t.Field, *t.Field.File
				rule.Variants = []expose.Variant{
					{Name: "small", Width: 96, Height: 96, Fit: expose.Cover, Format: expose.WebP}, {Name: "whole", Width: 2000, Format: expose.WebP},
				}
				field.File, w.files.Targets[i].Field = &rule, &field
			}
		}
		for variant, want := range map[string]string{"small": "webp 96 × 96", "whole": "webp 900 × 1200"} {
			made := w.send(w.ada, "GET", address+"?variant="+variant, "").want(200)
			if got := sized(w.t, made.Raw); got != want || made.Header.Get("Content-Type") != "image/webp" {
				w.t.Errorf("%s is %s, %s, want %s", variant, got, made.Header.Get("Content-Type"), want)
			}
		}
		w.sound()
	})
}
