package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// kinds are those that a chart may have, as Kubernetes reads them.
var kinds = map[string]func() any{
	"apps/v1 Deployment":                     func() any { return new(apps.Deployment) },
	"autoscaling/v2 HorizontalPodAutoscaler": func() any { return new(autoscaling.HorizontalPodAutoscaler) },
	"batch/v1 Job":                           func() any { return new(batch.Job) },
	"networking.k8s.io/v1 Ingress":           func() any { return new(networking.Ingress) },
	"policy/v1 PodDisruptionBudget":          func() any { return new(policy.PodDisruptionBudget) },
	"v1 Service":                             func() any { return new(core.Service) },
}

// chart writes what helm template makes of a chart, once every field of it is one
// that Kubernetes knows.
func chart(dir string, text []byte) error {
	c, err := loader.Load(dir)
	if err != nil {
		return err
	}
	values, err := chartutil.ReadValues(text)
	if err != nil {
		return err
	}
	values, err = chartutil.ToRenderValues(c, values, chartutil.ReleaseOptions{Name: "shop", Namespace: "default", IsInstall: true}, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	files, err := engine.Engine{Strict: true}.Render(c, values)
	if err != nil {
		return err
	}
	var all []any
	for name, text := range files {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		for _, document := range strings.Split(text, "\n---\n") {
			var head struct{ APIVersion, Kind string }
			if err := yaml.Unmarshal([]byte(document), &head); err != nil {
				return fmt.Errorf("%s: %w\n%s", name, err, document)
			}
			kind := kinds[head.APIVersion+" "+head.Kind]
			if kind == nil {
				return fmt.Errorf("%s: there is no kind %s %s", name, head.APIVersion, head.Kind)
			}
			object := kind()
			if err := yaml.UnmarshalStrict([]byte(document), object); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, object)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}
