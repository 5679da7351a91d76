/** Firefox has no offscreen documents: its background page proves, and keeps the state as well. */
import './offscreen.js';
import './background.js';
