// Asks an ACP agent one thing, as an editor would, and prints the updates of the session.
//
//     node acp.mjs PROMPT COMMAND [ARGUMENT...]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [prompt, command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
const send = (message) => agent.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const ask = (id, method, params) => new Promise((done) => waiting.set(id, done) && send({ id, method, params }));

createInterface({ input: agent.stdout }).on("line", (line) => {
	const m = JSON.parse(line);
	if (m.method === "session/update") console.log(JSON.stringify(m.params.update));
	else if (!m.method) waiting.get(m.id)(m);
	else if (m.id !== undefined) send({ id: m.id, error: { code: -32601, message: "not here" } });
});
console.log(JSON.stringify(await ask(1, "initialize", { protocolVersion: 1, clientCapabilities: {} })));
const session = await ask(2, "session/new", { cwd: process.cwd(), mcpServers: [] });
console.log(JSON.stringify(session));
console.log(JSON.stringify(await ask(3, "session/prompt", { sessionId: session.result?.sessionId, prompt: [{ type: "text", text: prompt }] })));
agent.kill(); // it may stay when its input ends
