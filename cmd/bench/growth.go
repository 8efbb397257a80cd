package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
)

// The chart in its own units: the plot, and beside it the names of the rows.
const (
	chartWidth, chartHeight = 760, 440
	plotLeft, plotRight     = 60, 540
	plotTop, plotBottom     = 40, 390
	labelGap                = 15 // between the names
)

// chartStyle is for light pages, and for dark ones.
const chartStyle = `text{font:12px system-ui,sans-serif;fill:#24292f}
.grid{stroke:#d0d7de;stroke-width:1}.limit{stroke:#cf222e;stroke-width:2;stroke-dasharray:6 4}.limit-text{fill:#cf222e}
.row{fill:none;stroke-width:2}.back{fill:#ffffff}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#30363d}.limit{stroke:#ff7b72}.limit-text{fill:#ff7b72}.back{fill:#0d1117}}
`

// hues are told apart on both.
var hues = []string{"#0969da", "#1a7f37", "#9a6700", "#8250df", "#bf3989", "#0a7ea4", "#bc4c00", "#57606a", "#4d7c0f", "#7c3aed", "#b45309", "#0f766e", "#be123c", "#6b7280"}

// curve is a row at its sizes.
type curve struct {
	name   string
	points []result // by size
}

// drawGrowth draws how much of its budget each row uses, by the size of the
// list, both on a scale of powers of ten: what stands below the line is met.
func drawGrowth(results []result) []byte {
	curves := curvesOf(results)
	low, high, small, large := bounds(curves)
	x := func(size int) float64 {
		return plotLeft + (plotRight-plotLeft)*fraction(math.Log10(float64(size)), math.Log10(float64(small)), math.Log10(float64(large)))
	}
	y := func(share float64) float64 {
		return plotBottom - (plotBottom-plotTop)*fraction(math.Log10(share), low, high)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, "<title>How much of its budget each row uses, by the size of the list</title>\n<style>%s</style>\n", chartStyle)
	fmt.Fprintf(&b, "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, "<text x=\"%d\" y=\"22\">share of the budget used: below 1 is met</text>\n", plotLeft)
	for e := math.Ceil(low); e <= high; e++ {
		at := y(math.Pow(10, e))
		fmt.Fprintf(&b, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
			plotLeft, at, plotRight, at, plotLeft-6, at+4, math.Pow(10, e))
	}
	for _, size := range sizesOf(curves) {
		fmt.Fprintf(&b, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d tasks</text>\n",
			x(size), plotTop, x(size), plotBottom, x(size), plotBottom+20, size)
	}
	fmt.Fprintf(&b, "<line class=\"limit\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", plotLeft, y(1), plotRight, y(1))
	drawCurves(&b, curves, x, y)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// drawCurves draws the rows, and their names at their ends, from the top down and
// never over each other.
func drawCurves(b *bytes.Buffer, curves []curve, x func(int) float64, y func(float64) float64) {
	end := func(c curve) float64 { return y(c.points[len(c.points)-1].Share) }
	slices.SortStableFunc(curves, func(p, q curve) int { return int(math.Copysign(1, end(p)-end(q))) })
	beneath := 0.0
	for i, c := range curves {
		hue := hues[i%len(hues)]
		fmt.Fprintf(b, "<polyline class=\"row\" stroke=\"%s\" points=\"", hue)
		for _, p := range c.points {
			fmt.Fprintf(b, "%.1f,%.1f ", x(p.Size), y(p.Share))
		}
		b.WriteString("\"/>\n")
		for _, p := range c.points {
			fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x(p.Size), y(p.Share), hue)
		}
		last := c.points[len(c.points)-1]
		lowest := float64(chartHeight - 10 - labelGap*(len(curves)-1-i)) // leaves room for those that follow
		at := min(max(end(c), beneath+labelGap), lowest)
		beneath = at
		fmt.Fprintf(b, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" stroke-opacity=\".4\"/>", x(last.Size)+4, end(c), plotRight+14, at, hue)
		fmt.Fprintf(b, "<text x=\"%d\" y=\"%.1f\">%s  %s %s</text>\n", plotRight+18, at+4, html.EscapeString(c.name), number(last.Figure), html.EscapeString(last.Unit))
	}
}

// curvesOf gives the rows that have a budget and a figure.
func curvesOf(results []result) []curve {
	var curves []curve
	for _, r := range results {
		if r.Share <= 0 {
			continue
		}
		i := slices.IndexFunc(curves, func(c curve) bool { return c.name == r.Row })
		if i < 0 {
			i, curves = len(curves), append(curves, curve{name: r.Row})
		}
		curves[i].points = append(curves[i].points, r)
	}
	for _, c := range curves {
		slices.SortFunc(c.points, func(p, q result) int { return p.Size - q.Size })
	}
	return curves
}

func sizesOf(curves []curve) []int {
	var sizes []int
	for _, c := range curves {
		for _, p := range c.points {
			sizes = append(sizes, p.Size)
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// bounds gives the powers of ten of the shares, whole ones, and the sizes.
func bounds(curves []curve) (low, high float64, small, large int) {
	low, high, small, large = -1, 1, 1000, 1000
	for i, size := range sizesOf(curves) {
		if i == 0 {
			small = size
		}
		large = size
	}
	for _, c := range curves {
		for _, p := range c.points {
			low, high = min(low, math.Floor(math.Log10(p.Share))), max(high, math.Ceil(math.Log10(p.Share)))
		}
	}
	return low, high, small, large
}

// fraction says where x lies between low and high; the middle where those are one.
func fraction(x, low, high float64) float64 {
	if low == high {
		return 0.5
	}
	return (x - low) / (high - low)
}
