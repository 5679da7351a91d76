pragma circom 2.1.6;

include "shielded-note.circom";

component main {public [root, recipient]} = SpendNote(20);
