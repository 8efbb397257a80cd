package main

import "slices"

// rows gives every budget, in the order in which they are printed. The same name
// may stand twice, for sizes that differ in their budget.
func rows() []row {
	return slices.Concat(changeRows(), mcpRows(), aloneRows(), coldRows(), pageRows(), actionRows(), pushRows(), memoryRows(), floodRows(), diskRows())
}

// mainRows are the operations whose figures are kept: how fast a list is changed,
// what a person's add, show and list take, and a push.
var mainRows = []string{"changes", "cold-add", "cold-show", "cold-list", "push"}

func anySize(int) bool { return true }

func from(n int) func(int) bool { return func(size int) bool { return size >= n } }

func upTo(n int) func(int) bool { return func(size int) bool { return size <= n } }

// ratioOf is a budget of so many times the comparator.
func ratioOf(times float64) func(reading) float64 {
	return func(r reading) float64 { return r.ratio() / times }
}

// timeOf is a budget of so much, whatever the comparator.
func timeOf(limit float64) func(reading) float64 {
	return func(r reading) float64 { return r.figure / limit }
}
