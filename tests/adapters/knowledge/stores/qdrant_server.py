"""Something that answers as a Qdrant server does, over HTTP, with the client's own local mode behind it.

No server of Qdrant's can be had as a package. This one takes the requests the client really sends, and so proves what
goes over the wire, how long the store waits, and what it does when nobody answers. How a real server searches it does
not prove. Only requests the store makes are known; any other is refused with 400.
"""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY: Final = "a-secret-key"


class FakeServer:
    """Collections in memory, behind HTTP.

    Attributes:
        url: Where a store is told to look.
        answers: What the next requests are answered instead of being carried out: a status, 0 to cut the connection.
        made: How many stores a test made in it.
        seen: Method, path and body of every request that was carried out.
    """

    def __init__(self) -> None:
        from qdrant_client import QdrantClient

        self.client = QdrantClient(":memory:")
        self.lock = threading.Lock()
        self.answers: list[int] = []
        self.made = 0
        self.seen: list[tuple[str, str, Any]] = []
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.http.daemon_threads = True
        self.url = f"qdrant+http://127.0.0.1:{self.http.server_port}"

    def answered(self, method: str, path: str, body: dict[str, Any]) -> Any:
        """Carry out a request.

        Raises:
            KeyError: It is none the store makes.
            ValueError: The collection refuses it.
        """
        parts = [unquote(part) for part in path.strip("/").split("/")]
        name = parts[1] if len(parts) > 1 else ""
        with self.lock:
            self.seen.append((method, path, body))
            return getattr(self, f"_{'_'.join([method.lower(), *parts[2:]])}")(name, body)

    def _get(self, _: str, __: Any) -> Any:
        return self.client.get_collections()

    def _get_exists(self, name: str, _: Any) -> Any:
        return {"exists": self.client.collection_exists(name)}

    def _put(self, name: str, body: Any) -> Any:
        from qdrant_client import models

        vectors = {key: models.VectorParams(**value) for key, value in body["vectors"].items()}
        words = {key: models.SparseVectorParams(**value) for key, value in (body.get("sparse_vectors") or {}).items()}
        return self.client.create_collection(name, vectors_config=vectors, sparse_vectors_config=words or None)

    def _put_index(self, name: str, _: Any) -> Any:
        if not self.client.collection_exists(name):
            raise ValueError(name)
        return {"operation_id": 1, "status": "completed"}

    def _delete(self, name: str, _: Any) -> Any:
        return self.client.delete_collection(name)

    def _put_points(self, name: str, body: Any) -> Any:
        from qdrant_client import models

        return self.client.upsert(name, [models.PointStruct(**point) for point in body["points"]])

    def _post_points_delete(self, name: str, body: Any) -> Any:
        from qdrant_client import models

        selector: Any = (
            models.PointIdsList(points=body["points"])
            if "points" in body
            else models.FilterSelector(filter=models.Filter(**body["filter"]))
        )
        return self.client.delete(name, selector)

    def _post_points_scroll(self, name: str, body: Any) -> Any:
        rows, offset = self.client.scroll(
            name,
            scroll_filter=_filter(body),
            limit=body["limit"],
            offset=body.get("offset"),
            with_payload=body["with_payload"],
            with_vectors=body["with_vector"],
        )
        return {"points": rows, "next_page_offset": offset}

    def _post_points(self, name: str, body: Any) -> Any:
        return self.client.retrieve(
            name, body["ids"], with_payload=body["with_payload"], with_vectors=body["with_vector"]
        )

    def _post_points_count(self, name: str, body: Any) -> Any:
        return self.client.count(name, count_filter=_filter(body))

    def _post_points_query(self, name: str, body: Any) -> Any:
        from qdrant_client import models

        query = body["query"]
        found = query if isinstance(query, list) else query.get("nearest", query)
        return self.client.query_points(
            name,
            query=found if isinstance(found, list) else models.SparseVector(**found),
            using=body["using"],
            query_filter=_filter(body),
            limit=body["limit"],
            with_payload=body["with_payload"],
            with_vectors=body["with_vector"],
        )


def _filter(body: Any) -> Any:
    from qdrant_client import models

    return models.Filter(**body["filter"]) if body.get("filter") else None


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def _handler(server: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16  # head and body in one packet, or the other side waits 40 ms for the second
        disable_nagle_algorithm = True

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def _answer(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            status = server.answers.pop(0) if server.answers else 200
            if self.headers.get("api-key") != KEY:
                status = 401
            if status == 0:
                self.close_connection = True
                self.connection.close()
                return
            result: Any = None
            if status == 200:
                try:
                    result = _plain(server.answered(self.command, urlsplit(self.path).path, body))
                except (AttributeError, KeyError, ValueError, TypeError) as error:
                    status, result = (404 if "not found" in str(error) else 400), None
            said = "ok" if status == 200 else {"error": f"it refuses {KEY}"}
            data = json.dumps({"result": result, "status": said, "time": 0.0}).encode()
            with contextlib.suppress(OSError):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
                self.wfile.flush()

        do_GET = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815 - names of the library

    return Handler


@contextlib.contextmanager
def running() -> Iterator[FakeServer]:
    """A server, until the end of the block."""
    server = FakeServer()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
        thread.join()
        server.client.close()
