package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/manifest"
)

// manifestFile is where a module keeps the description of the service.
const manifestFile = "ent/manifest/manifest.json"

// redescribed returns the entities that the manifest describes otherwise than a commit
// does, none where that has no manifest. One of another format is all of them.
func redescribed(ctx context.Context, p *process, commit string, now *manifest.Manifest) ([]string, error) {
	text, err := show(ctx, p, commit, manifestFile)
	if err != nil || text == "" {
		return nil, err
	}
	before, err := manifest.Decode([]byte(text))
	if _, other := errors.AsType[manifest.FormatError](err); other {
		return manifest.Differ(new(manifest.Manifest), now), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", manifestFile, commit, err)
	}
	return manifest.Differ(before, now), nil
}

// tellReaders says to programs that are made from the manifest what they read otherwise.
func tellReaders(p *process, names []string) error {
	if len(names) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(p.stdout, "manifest  %s: the descriptions differ; make clients and documents from it again\n", strings.Join(names, ", "))
	return err
}
