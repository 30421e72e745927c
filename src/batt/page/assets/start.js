// Begin: a file holds its data, a server sends them.
"use strict";

if (document.getElementById("overview")) batt.page.start();
else batt.live.start();
