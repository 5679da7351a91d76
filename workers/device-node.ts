import { DeviceHost } from '../sdk/executors/remote/device-host.js';
import { dawn } from '../sdk/hosts/node/node-gpu.js';
import { readMemoryFile } from '../sdk/transport/memory-file.js';
import { INHERITED_DESCRIPTOR, nodeProcessScope } from '../sdk/transport/node-process.js';
import { exposeMethods } from '../sdk/transport/remote.js';

const { endpoint, emit } = nodeProcessScope();
const readWindow = (at: number, target: Uint8Array) => readMemoryFile(INHERITED_DESCRIPTOR, at, target);
exposeMethods(new DeviceHost(dawn, readWindow, emit), endpoint);
