// Follows a plan over the Agent Host Protocol, as somebody would who knows the protocol
// alone, and prints what the plan holds, a line each time that it changes, and behind a
// turn of its session what the call that is drawn there came to.
//
//     node plan.mjs ADDRESS PLAN
const [address, plan] = process.argv.slice(2);
const channel = "x-ahpd-plans://" + plan;
const socket = new WebSocket(address);
let id = 0;
let tasks = null; // by id, once it is there

const ask = (method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }));
const subscribe = () => ask("subscribe", { channel });
let last = "";
const show = () => {
	const line = [...tasks.values()].map((t) => `${t.title}: ${t.status}`).join(", ");
	if (line && line !== last) console.log((last = line));
};

// drawn shows what a call came to that the chat of the plan's session drew; told does
// so at the end of a turn, and those of turns that are over the chat has when it is met.
const drawn = (call) => console.log("turn: " + call.content.map((c) => c.text).join(", "));
const told = (action) => {
	if (action.type === "chat/toolCallComplete") drawn(action.result);
};

socket.onopen = () => ask("initialize", { channel: "ahp-root://", protocolVersions: ["1.1.0"], clientId: "plan" });
socket.onmessage = ({ data }) => {
	const { error, result, params } = JSON.parse(data);
	if (error?.code === -32001) return setTimeout(subscribe, 50); // it is not there yet
	if (error) throw new Error(error.message);
	if (result?.protocolVersion) return subscribe();
	if (result?.snapshot.resource === channel) {
		const { plan, tasks: held } = result.snapshot.state;
		tasks = new Map(held.map((t) => [t.id, t]));
		const session = Buffer.from("ahp-session:/" + plan.scope.session).toString("base64url");
		ask("subscribe", { channel: "ahp-chat://default/" + session });
		return show();
	}
	for (const turn of result?.snapshot.state.turns ?? []) turn.responseParts.forEach((p) => drawn(p.toolCall));
	if (result) return;
	if (params?.channel !== channel) return params?.action && told(params.action);
	const { type, task, taskId } = params.action;
	if (type.endsWith("/taskRemoved")) tasks.delete(taskId);
	else if (task) tasks.set(task.id, task);
	show();
};
socket.onclose = () => process.exit();
