// A stand-in for the models that coding agents ask, on loopback: Anthropic's messages,
// OpenAI's responses and Gemini's generateContent, whole or as a stream. It plays talks:
//
//     node model.mjs TALKS LOG
//
// TALKS is a JSON file, [{"asked": TEXT, "tool": NAME, "turns": [[[NAME, INPUT], …], …]}, …].
// Who asks with TEXT in a message, and is offered the tool, is answered with the calls of
// one turn after the other, those of a turn side by side, and at last with a word; anybody
// else with that word alone. The port goes to standard output, each request to LOG.
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const [file, log] = process.argv.slice(2);
const talks = JSON.parse(readFileSync(file, "utf8"));
const word = "Done.";
const thinking = 700; // milliseconds, of each turn: no model answers at once

// callsOf gives the calls that are next where so many were made. A tool is offered by
// its name alone where a harness has the model look it up first.
function callsOf(request, messages, made) {
	const asked = JSON.stringify(messages.filter((m) => m.role === "user"));
	const offered = request.tools?.length ? JSON.stringify(request) : "";
	const talk = talks.find((t) => asked.includes(t.asked) && offered.includes(t.tool));
	for (const turn of talk?.turns ?? []) {
		if (made <= 0) return turn.map(([name, input], i) => ({ id: `${talks.indexOf(talk)}_${talk.turns.indexOf(turn)}_${i}`, name, input }));
		made -= turn.length;
	}
	return [];
}

function anthropic(request) {
	const made = request.messages.flatMap((m) => m.content).filter((c) => c.type === "tool_use").length;
	const calls = callsOf(request, request.messages, made);
	const content = calls.map(({ id, name, input }) => ({ type: "tool_use", id: "toolu_" + id, name, input }));
	if (!calls.length) content.push({ type: "text", text: word });
	const message = { id: "msg_" + made, type: "message", role: "assistant", model: request.model, content, stop_reason: calls.length ? "tool_use" : "end_turn", stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
	const events = content.flatMap((c, index) => [
		{ type: "content_block_start", index, content_block: c.text ? { type: "text", text: "" } : { ...c, input: {} } },
		{ type: "content_block_delta", index, delta: c.text ? { type: "text_delta", text: c.text } : { type: "input_json_delta", partial_json: JSON.stringify(c.input) } },
		{ type: "content_block_stop", index },
	]);
	events.unshift({ type: "message_start", message: { ...message, content: [], stop_reason: null } });
	events.push({ type: "message_delta", delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } }, { type: "message_stop" });
	return { whole: message, events, isStream: request.stream };
}

function openai(request) {
	const made = request.input.filter((i) => i.type === "function_call").length;
	const calls = callsOf(request, request.input, made);
	const output = calls.map(({ id, name, input }) => ({ type: "function_call", id: "fc_" + id, call_id: "call_" + id, name, arguments: JSON.stringify(input), status: "completed" }));
	if (!calls.length) output.push({ type: "message", id: "msg_" + made, role: "assistant", status: "completed", content: [{ type: "output_text", text: word, annotations: [] }] });
	const response = { id: "resp_" + made, object: "response", status: "completed", model: request.model, output, usage: { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 } };
	const events = output.flatMap((item, output_index) => [
		{ type: "response.output_item.added", output_index, item },
		{ type: "response.output_item.done", output_index, item },
	]);
	events.unshift({ type: "response.created", response: { ...response, status: "in_progress", output: [] } });
	events.push({ type: "response.completed", response });
	return { whole: response, events, isStream: request.stream };
}

function gemini(request, path) {
	const made = request.contents.flatMap((c) => c.parts).filter((p) => p.functionCall).length;
	const parts = callsOf(request, request.contents, made).map(({ name, input }) => ({ functionCall: { name, args: input } }));
	if (!parts.length) parts.push({ text: word });
	const whole = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }], usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } };
	return { whole, events: [whole], isStream: path.includes(":stream") };
}

function answer(path, request) {
	if (path.endsWith("/messages")) return anthropic(request);
	if (path.endsWith("/responses")) return openai(request);
	if (/:(streamG|g)enerateContent$/.test(path)) return gemini(request, path);
	return null;
}

const server = createServer((req, res) => {
	let text = "";
	req.setEncoding("utf8").on("data", (part) => (text += part));
	req.on("end", () => setTimeout(() => {
		appendFileSync(log, `${req.method} ${req.url} ${text}\n`);
		const found = text && answer(req.url.replace(/\?.*/, ""), JSON.parse(text));
		if (!found) return res.writeHead(404, { "content-type": "application/json" }).end("{}");
		if (!found.isStream) return res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found.whole));
		res.writeHead(200, { "content-type": "text/event-stream" });
		for (const e of found.events) res.write((e.type ? `event: ${e.type}\n` : "") + `data: ${JSON.stringify(e)}\n\n`);
		res.end();
	}, thinking));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
