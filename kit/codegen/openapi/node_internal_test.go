package openapi

import (
	"strings"
	"testing"
)

func TestYAMLKeepsOrderAndTypes(t *testing.T) {
	document, err := parseYAML([]byte("b: 1\na: [true, null, 1.5, text, '2']\nc: &x {z: 1, y: 2}\nd: *x\n"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := encode(document)
	if err != nil {
		t.Fatal(err)
	}
	compact := strings.Join(strings.Fields(string(text)), "")
	if want := `{"b":1,"a":[true,null,1.5,"text","2"],"c":{"z":1,"y":2},"d":{"z":1,"y":2}}`; compact != want {
		t.Errorf("%s, want %s", compact, want)
	}
}

func TestNodes(t *testing.T) {
	n := obj("a", 1, "b", obj("c", "d"), "e", arr(obj("f", "g")))
	copied := clone(n)
	copied.at("b").set("c", "other")
	copied.drop("a")
	if n.at("b").text("c") != "d" || n.get("a") != 1 {
		t.Error("a copy shares with the original")
	}
	seen := 0
	walk(n, func(*node) { seen++ })
	if seen != 3 {
		t.Errorf("walk saw %d objects, want 3", seen)
	}
	if _, err := encode(obj("html", "<a & b>")); err != nil {
		t.Fatal(err)
	}
}
