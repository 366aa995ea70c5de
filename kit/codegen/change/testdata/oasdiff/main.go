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
	base := read(filepath.Join(folder, "base.json"))
	found := map[string][]finding{}
	judged := map[string][]finding{} // by the text: many changes leave the document unchanged
	localizer := checker.NewDefaultLocalizer()
	for _, name := range names {
		short := strings.TrimSuffix(filepath.Base(name), ".json")
		if short == "base" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		if same, ok := judged[string(text)]; ok {
			found[short] = same
			continue
		}
		all := []finding{}
		for _, c := range judge(base, read(name)) {
			all = append(all, finding{c.GetId(), c.GetOperation() + " " + c.GetPath() + ": " + c.GetUncolorizedText(localizer)})
		}
		found[short], judged[string(text)] = all, all
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
