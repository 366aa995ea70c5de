// Command oasdiff prints what oasdiff says of each document of a folder that was
// base.json before: a JSON object by the files' names.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

type finding struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

func main() {
	folder := os.Args[1]
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		log.Fatal(err)
	}
	found := map[string][]finding{}
	localizer := checker.NewDefaultLocalizer()
	for _, name := range names {
		short := strings.TrimSuffix(filepath.Base(name), ".json")
		if short == "base" {
			continue
		}
		found[short] = []finding{}
		for _, c := range judge(read(filepath.Join(folder, "base.json")), read(name)) {
			found[short] = append(found[short], finding{c.GetId(), c.GetOperation() + " " + c.GetPath() + ": " + c.GetUncolorizedText(localizer)})
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		log.Fatal(err)
	}
}

// judge returns the changes that break clients.
func judge(base, revision *load.SpecInfo) (breaking checker.Changes) {
	report, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), base, revision)
	if err != nil {
		log.Fatal(err)
	}
	config := checker.NewConfig(checker.GetAllChecks())
	for _, c := range checker.CheckBackwardCompatibility(config, report, sources) {
		if c.GetLevel() == checker.ERR {
			breaking = append(breaking, c)
		}
	}
	return breaking
}

func read(name string) *load.SpecInfo {
	text, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	info, err := load.NewSpecInfoFromData(openapi3.NewLoader(), text, filepath.Base(name))
	if err != nil {
		log.Fatal(name, ": ", err)
	}
	return info
}
