package gid_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/gid"
)

const one = "0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d"

func TestIDsOfEachForm(t *testing.T) {
	user, region, site := gid.Rows{Type: "User"}, gid.Rows{Type: "Region", Form: gid.Texts}, gid.Rows{Type: "Site", Form: gid.UUIDs}
	for _, c := range []struct {
		of   gid.Rows
		text string
		want gid.ID // zero where it is refused
	}{
		{user, "7", gid.Int(7)},
		{user, gid.Int(7).Global("User"), gid.Int(7)},
		{user, "07", gid.ID{}},
		{user, gid.Text("x").Global("User"), gid.ID{}},
		{region, "7", gid.Text("7")},
		{region, "eu-west", gid.Text("eu-west")},
		{region, "Ünï codé", gid.Text("Ünï codé")},
		{region, gid.Text("7").Global("Region"), gid.Text("7")},
		{region, gid.Text("007").Global("Region"), gid.Text("007")},
		{region, gid.Text("a/b").Global("Region"), gid.ID{}},
		{region, "..", gid.ID{}},
		{region, "a,b", gid.ID{}},
		{region, "", gid.ID{}},
		{region, strings.Repeat("x", gid.LongestText), gid.Text(strings.Repeat("x", gid.LongestText))},
		{region, strings.Repeat("x", gid.LongestText+1), gid.ID{}},
		{region, gid.Text(strings.Repeat("x", gid.LongestText)).Global("Region"), gid.Text(strings.Repeat("x", gid.LongestText))},
		{site, one, gid.Text(one)},
		{site, strings.ToUpper(one), gid.Text(one)},
		{site, gid.Text(one).Global("Site"), gid.Text(one)},
		{site, gid.Text(one).Global("Region"), gid.ID{}},
		{site, strings.ReplaceAll(one, "-", ""), gid.ID{}},
		{site, "7", gid.ID{}},
		{site, "00000000-0000-0000-0000-000000000000", gid.ID{}},
	} {
		id, err := c.of.Parse(c.text)
		if id != c.want || (err != nil) != c.want.IsZero() {
			t.Errorf("%s %q is %v, %v, want %v", c.of.Type, c.text, id, err, c.want)
		}
		if other, err := c.of.Unmarshal(c.text); other != c.want || (err != nil) != c.want.IsZero() {
			t.Errorf("in GraphQL, %s %q is %v, %v, want %v", c.of.Type, c.text, other, err, c.want)
		}
	}
	for _, of := range []gid.Rows{user, region, site} {
		if id := of.Form.Nowhere(); id.IsZero() {
			t.Errorf("%s: nowhere is the zero id", of.Type)
		} else if got, err := of.Parse(id.String()); err == nil {
			t.Errorf("%s: nowhere is the id %v", of.Type, got)
		}
	}
}

// A global id says what it is once it is known whose it is.
func TestDecodedIDs(t *testing.T) {
	for _, c := range []struct {
		of   gid.Rows
		id   gid.ID
		want gid.ID
	}{
		{gid.Rows{Type: "User"}, gid.Int(7), gid.Int(7)},
		{gid.Rows{Type: "User"}, gid.Text("x"), gid.ID{}},
		{gid.Rows{Type: "Region", Form: gid.Texts}, gid.Text("7"), gid.Text("7")},
		{gid.Rows{Type: "Region", Form: gid.Texts}, gid.Text("x"), gid.Text("x")},
		{gid.Rows{Type: "Site", Form: gid.UUIDs}, gid.Text(one), gid.Text(one)},
		{gid.Rows{Type: "Site", Form: gid.UUIDs}, gid.Text("x"), gid.ID{}},
	} {
		typ, id, err := gid.Decode(c.id.Global(c.of.Type))
		if err != nil || typ != c.of.Type {
			t.Errorf("%v of %s is of %q, %v", c.id, c.of.Type, typ, err)
		}
		if id, err = c.of.Of(id); id != c.want || (err != nil) != c.want.IsZero() {
			t.Errorf("%v of %s is %v, %v, want %v", c.id, c.of.Type, id, err, c.want)
		}
	}
	if !(gid.Rows{Type: "Region"}).IsGlobal(gid.Text("us").Global("Region")) || (gid.Rows{Type: "Region"}).IsGlobal("us") {
		t.Error("what is a global id is not known")
	}
}
