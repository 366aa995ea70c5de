package gid_test

import (
	"encoding/json"
	"testing"

	"github.com/entwine-go/entwine/kit/gid"
)

func TestAnIDIsANumberOrAText(t *testing.T) {
	for _, c := range []struct {
		id           gid.ID
		any          any
		text, global string
		json         string
	}{
		{gid.Int(7), int64(7), "7", "VXNlcjo3", "7"},
		{gid.Int(-1), int64(-1), "-1", "VXNlcjotMQ", "-1"},
		{gid.Text("eu-west"), "eu-west", "eu-west", "VXNlcjpldS13ZXN0", `"eu-west"`},
		{gid.Text("7"), "7", "7", "VXNlcjo3", `"7"`},
		{gid.ID{}, int64(0), "0", "VXNlcjow", "0"},
	} {
		if got := c.id.Any(); got != c.any {
			t.Errorf("%v is %T %v in SQL, want %T", c.id, got, got, c.any)
		}
		if got, ok := gid.Of(c.any); got != c.id || !ok {
			t.Errorf("%#v is the id %v, want %v", c.any, got, c.id)
		}
		if got := c.id.String(); got != c.text || string(c.id.Append(nil)) != c.text {
			t.Errorf("%v is written %q, want %q", c.id, got, c.text)
		}
		if got := c.id.Global("User"); got != c.global {
			t.Errorf("the global id of %v is %s, want %s", c.id, got, c.global)
		}
		text, err := json.Marshal(c.id)
		var back gid.ID
		if err != nil || string(text) != c.json || json.Unmarshal(text, &back) != nil || back != c.id {
			t.Errorf("%v is %s in JSON, which is %v, want %s", c.id, text, back, c.json)
		}
	}
	if gid.Int(7) == gid.Text("7") || !gid.Text("").IsZero() || !gid.Int(0).IsZero() || gid.Int(1).IsZero() {
		t.Error("ids are compared wrongly")
	}
	if id, ok := gid.Of(7.5); ok || !id.IsZero() {
		t.Errorf("7.5 is the id %v", id)
	}
}

func TestAnIDThatIsANumberCostsNoMemory(t *testing.T) {
	dst := make([]byte, 0, 64)
	ids := map[gid.ID]int{gid.Int(1 << 40): 1}
	found := 0
	if n := testing.AllocsPerRun(100, func() {
		id := gid.Int(1 << 40)
		found += ids[id]
		dst = id.AppendGlobal(id.Append(dst[:0]), "User")
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
