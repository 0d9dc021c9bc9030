# A stand-in for systemd's end of sd_notify: prints each message that comes to the socket, until READY=1 has come.
# It takes no file descriptors, so the system closes those of a BARRIER=1, as systemd does.

import socket
import sys

receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print("bound", flush=True)
while True:
    message = receiver.recv(4096).decode()
    print(message, flush=True)
    if message.startswith("BARRIER"):
        break
