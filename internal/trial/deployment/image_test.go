package deployment_test

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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
	if err := os.Rename(filepath.Join(root, "root", "data"), filepath.Join(root, "data")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
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

// The whole image is built by a builder of images, and its program is started and found
// healthy inside. The base images are not pulled: what is in their place has a shell and
// this machine's Go for the one, and accounts for the other.
func TestTheImageIsBuilt(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("buildah"); err != nil || os.Getuid() != 0 {
		t.Skip("NOT TESTED: building images takes root and buildah (apt-get install buildah)")
	}
	dir := t.TempDir()
	try := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "buildah", append([]string{"--root", filepath.Join(dir, "store"), "--runroot", filepath.Join(dir, "run"), "--storage-driver", "vfs"}, args...)...)
		cmd.Dir, cmd.Env = "../../..", append(os.Environ(), "BUILDAH_ISOLATION=chroot")
		out, err := cmd.Output()
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("buildah %q: %w: %s%s", args, err, out, failed.Stderr)
		}
		return strings.TrimSpace(string(out)), err
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := try(args...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	text := trial.ReadFile(t, "deploy/Dockerfile")
	bases := regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(text, -1)
	for i, config := range [][]string{{"--env", "PATH=/usr/local/go/bin:/usr/bin:/bin", "--env", "GOPATH=/go", "--env", "GOPROXY=off", "--env", "GOTOOLCHAIN=local", "--env", "GOFLAGS=-buildvcs=false"}, {"--user", "65532"}} {
		from := filepath.Join(dir, "base", strconv.Itoa(i))
		standIn(t, from, i == 0)
		container := run("from", "scratch")
		run("copy", "--quiet", container, from, "/")
		if i == 0 {
			if _, err := try("run", container, "/bin/sh", "-c", "exit 0"); err != nil {
				t.Skip("NOT TESTED: this machine lets buildah start nothing:", err)
			}
		}
		run(append(append([]string{"config"}, config...), container)...)
		run("commit", "--quiet", container, bases[i][1])
	}
	kept := func(name string) string {
		out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	run("build", "--pull-never", "--build-arg", "VERSION=v1.2.3", "--file", "deploy/Dockerfile", "--ignorefile", "deploy/Dockerfile.dockerignore", "--tag", "entwine",
		"--volume", kept("GOROOT")+":/usr/local/go:ro", "--volume", kept("GOMODCACHE")+":/go/pkg/mod:ro", "--volume", kept("GOCACHE")+":/root/.cache/go-build", ".")
	container := run("from", "--pull-never", "entwine")
	root := run("mount", container)
	for name, want := range map[string]os.FileMode{"data": os.ModeDir | 0o700, "data/files": os.ModeDir | os.ModeSticky | 0o777, "entwine": 0o755} {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", name, info, err, want)
		}
	}
	if said := run("run", container, "/entwine", "version"); !strings.Contains(said, "v1.2.3") {
		t.Errorf("version: %s", said)
	}
	serve, output := exec.Command("buildah", "--root", filepath.Join(dir, "store"), "--runroot", filepath.Join(dir, "run"), "--storage-driver", "vfs", "run", "--isolation", "chroot",
		"--network", "host", "--env", "ENTWINE_ADDR=127.0.0.1:0", container, "/entwine", "serve"), new(trial.Log)
	serve.Stdout, serve.Stderr = output, output
	serve.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	output.Wait(t, "entwine listens on http://")
	at := regexp.MustCompile(`listens on http://(\S+)`).FindStringSubmatch(output.String())[1]
	if said := run("run", "--isolation", "chroot", "--network", "host", "--env", "ENTWINE_ADDR="+at, container, "/entwine", "healthcheck"); !strings.Contains(said, `{"status":"ok"}`) {
		t.Errorf("healthcheck: %s", said)
	}
	_ = serve.Process.Signal(syscall.SIGTERM)
	_ = serve.Wait()
}

// standIn makes what is in the place of a base image: accounts, and for the one that
// builds the programs that RUN calls, with their libraries.
func standIn(t *testing.T, root string, builds bool) {
	t.Helper()
	put := func(name string, text []byte, mode os.FileMode) {
		t.Helper()
		name = filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, text, mode)); err != nil {
			t.Fatal(err)
		}
	}
	put("etc/passwd", []byte("root:x:0:0:root:/root:/bin/sh\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n"), 0o644)
	put("tmp/.kept", nil, 0o644)
	if err := os.Chmod(filepath.Join(root, "tmp"), 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if !builds {
		return
	}
	for _, name := range []string{"sh", "mkdir"} {
		program, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		libraries, err := exec.CommandContext(t.Context(), "ldd", program).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range append(regexp.MustCompile(`/\S+`).FindAllString(string(libraries), -1), program) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if file == program {
				file = "bin/" + name
			}
			put(file, text, 0o755)
		}
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
