package house

import (
	"cmp"
	"go/doc"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tableOf gives the rows of the README's table of that name.
func tableOf(t *testing.T, name string) (rows []string) {
	t.Helper()
	_, table, _ := strings.Cut(readme(t), "<!-- "+name+" -->")
	table, _, _ = strings.Cut(table, "<!-- end -->")
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "| `") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	if len(rows) == 0 {
		t.Errorf("README.md has no table of %s", name)
	}
	return rows
}

// TestFolders holds the README's table of folders to the tree: a row for each
// package, in the words of the first sentence of its doc, and with the packages
// that the rules let it import.
func TestFolders(t *testing.T) {
	t.Parallel()
	want := map[string]string{}
	for _, s := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(s.path))
		if s.isTest() || s.file.Doc == nil {
			continue
		}
		sentence := new(doc.Package).Synopsis(s.file.Doc.Text())
		_, is, _ := strings.Cut(strings.TrimSuffix(sentence, "."), s.file.Name.Name+" ")
		if s.file.Name.Name == "main" {
			_, is, _ = strings.Cut(strings.TrimSuffix(sentence, "."), path.Base(dir)+" ")
		}
		want[dir] = "| `" + dir + "` | " + strings.NewReplacer("[", "", "]", "").Replace(is) + " | " +
			cmp.Or(strings.Join(strings.Fields(layers[dir].imports), ", "), "none") + " |"
	}
	got := tableOf(t, "folders")
	slices.Sort(got)
	if wanted := slices.Sorted(maps.Values(want)); !slices.Equal(got, wanted) {
		t.Errorf("the table of folders in README.md is\n%s\nand the packages say\n%s", strings.Join(got, "\n"), strings.Join(wanted, "\n"))
	}
}

// TestFoldersInOrder: the table of folders can be read from its top. What a folder
// imports stands above it, and what is below another folder behind that one.
func TestFoldersInOrder(t *testing.T) {
	t.Parallel()
	at := map[string]int{}
	for i, row := range tableOf(t, "folders") {
		at[strings.Split(row, "`")[1]] = i + 1
	}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, module); ok && at[ours] > at[name] {
				t.Errorf("README.md names %s before %s, which it imports", name, ours)
			}
		}
		if above := path.Dir(name); at[above] > at[name] {
			t.Errorf("README.md names %s before %s, which it is part of", name, above)
		}
	}
}

// TestTour holds the README's tour to the tree: each step names a package first
// and then files of it, or packages alone, and all of them are there.
func TestTour(t *testing.T) {
	t.Parallel()
	top := root(t)
	_, tour, _ := strings.Cut(readme(t), "\nIn this order:\n")
	steps := 0
	for line := range strings.Lines(tour) {
		if !regexp.MustCompile(`^\d+\. `).MatchString(line) {
			continue
		}
		steps++
		dir := ""
		for _, named := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(line, -1) {
			file := named[1]
			if path.Ext(file) == ".go" && path.Base(file) == file {
				file = path.Join(dir, file)
			} else if dir = file; path.Ext(file) == ".go" {
				dir = path.Dir(file)
			}
			if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(file))); err != nil {
				t.Errorf("step %d of the tour in README.md names %s: %v", steps, named[1], err)
			}
		}
	}
	if steps < 3 {
		t.Errorf("the tour in README.md has %d steps", steps)
	}
}

// TestModulesAreTold holds the README's table of modules to the table of fences.
func TestModulesAreTold(t *testing.T) {
	t.Parallel()
	got, want := tableOf(t, "modules"), []string(nil)
	for _, f := range fences {
		want = append(want, "| `"+f.path+"` | "+f.reason+" | `"+strings.ReplaceAll(f.packages, " ", "`, `")+"` |")
	}
	if !slices.Equal(got, want) {
		t.Errorf("the table of modules in README.md is\n%s\nand the table of fences says\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
