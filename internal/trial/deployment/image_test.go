package deployment_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// instructions are those of a Dockerfile, without comments.
func instructions(text string) (all []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// The image's program is built as deploy/Dockerfile says, needs no file but itself, and is
// found healthy, in an empty root without any right. The base image is not pulled.
func TestTheImage(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("NOT TESTED: only root can change the root folder")
	}
	text := trial.ReadFile(t, "deploy/Dockerfile")
	root, err := os.MkdirTemp("", "entwine-image-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	env := []string{"VERSION=v1.2.3"}
	var health []string
	for _, line := range instructions(text) {
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case word == "RUN" && rest != "go mod download":
			cmd := exec.CommandContext(t.Context(), "sh", "-ec", strings.ReplaceAll(rest, "/out", root))
			cmd.Dir, cmd.Env = "../../..", append(os.Environ(), env...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
		case word == "ENV":
			env = append(env, rest)
		case word == "HEALTHCHECK":
			_, command, _ := strings.Cut(rest, `CMD ["/entwine", `)
			health = strings.Split(strings.Trim(command, `"]`), `", "`)
		}
	}
	program, err := elf.Open(filepath.Join(root, "entwine"))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if libraries, err := program.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("it needs %v, %v", libraries, err)
	}
	for _, dir := range []string{root, filepath.Join(root, "data")} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(filepath.Join(root, "data"), 65532, 65532); err != nil {
		t.Fatal(err)
	}
	inside := func(args ...string) *exec.Cmd {
		cmd := exec.Command("/entwine", args...)
		cmd.Dir, cmd.Env = "/", append([]string{"ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=warn"}, env...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}, Pdeathsig: syscall.SIGKILL}
		return cmd
	}
	serve, output := inside("serve"), new(trial.Log)
	serve.Stdout, serve.Stderr = output, output
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = serve.Process.Signal(syscall.SIGTERM)
		if err := serve.Wait(); err != nil {
			t.Errorf("it ended with %v\n%s", err, output)
		}
	}()
	output.Wait(t, "entwine listens on http://")
	at := regexp.MustCompile(`listens on http://(\S+)`).FindStringSubmatch(output.String())[1]
	ask := inside(health...)
	ask.Env = append(ask.Env, "ENTWINE_ADDR="+at)
	if out, err := ask.CombinedOutput(); err != nil || !strings.Contains(string(out), `{"status":"ok"}`) {
		t.Errorf("healthcheck %v: %v: %s", health, err, out)
	}
	if out, err := inside("version").CombinedOutput(); err != nil || !strings.Contains(string(out), "v1.2.3") {
		t.Errorf("version: %v: %s", err, out)
	}
}

// A project's image is made as this service's is.
func TestImagesOfProjects(t *testing.T) {
	t.Parallel()
	template := trial.Replaced(t, trial.ReadFile(t, "kit/codegen/project/files/Dockerfile.tmpl"), "[[ .Go ]]", "1.26", "[[ .Name ]]", "entwine")
	own := trial.Replaced(t, trial.ReadFile(t, "deploy/Dockerfile"), "ARG VERSION=\n", "", " -X main.version=$VERSION", "")
	if got, want := strings.Join(instructions(template), "\n"), strings.Join(instructions(own), "\n"); got != want {
		t.Errorf("a project's is\n%s\nand this service's\n%s", got, want)
	}
}
