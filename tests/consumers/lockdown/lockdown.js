import 'ses';

lockdown();
