// A module that throws.
throw new Error("the server is down");
