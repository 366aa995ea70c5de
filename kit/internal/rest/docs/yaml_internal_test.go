package docs

import (
	"encoding/json"
	"reflect"
	"testing"

	"gopkg.in/yaml.v3"
)

// What JSON has, the YAML has.
func TestYAMLIsTheJSON(t *testing.T) {
	t.Parallel()
	const document = `{"openapi":"3.1.0","paths":{"/notes/{id}":{"get":{"tags":["Notes","a: b"],"responses":{"200":{"$ref":"#/x"},"default":{}}}}},
"texts":["","true","No","null","1","1.5","0x1","2026-01-01","- a","a: b","a #b","a:","#a","&a","*a","!a","%a","@a","~","'a'","\"a\"","a ","\ta","a\tb","[a","{a","a\\b","ä – b…","😀","\u2028","\u0000","x","a, b; c's (d)"],
"lines":["a\nb","a\n\nb","a\n  b\n\n\n- c: d","a\n","\na"," a\nb","a \nb","a\nb ","a\n\tb","# a\nb","a\r\nb","--- a\n..."],
"nested":[[1,[2,{"a":[],"b":{}}]],[],{},[{"a":{"b":["c"]},"d":null}],true,false,-1.5,1e5,9007199254740993]}`
	var want, got any
	if err := json.Unmarshal([]byte(document), &want); err != nil {
		t.Fatal(err)
	}
	text := toYAML([]byte(document))
	if err := yaml.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	same, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var again any
	if err := json.Unmarshal(same, &again); err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("%v\n%s\nis\n%s", err, text, same)
	}
}

func TestYAMLIsWrittenInLines(t *testing.T) {
	t.Parallel()
	const document = `{"info":{"title":"Notes","description":"Bodies are JSON.\n\nTimes: UTC."},"tags":[{"name":"Notes","x":[1,2]},"a: b"],"paths":{}}`
	const want = `info:
  title: Notes
  description: |-
    Bodies are JSON.

    Times: UTC.
tags:
  - name: Notes
    x:
      - 1
      - 2
  - "a: b"
paths: {}
`
	if got := string(toYAML([]byte(document))); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}
