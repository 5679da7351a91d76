import { serveCoordinator } from '../sdk/hosts/page/serve-coordinator.js';

serveCoordinator();
