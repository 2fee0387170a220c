"""Judges requests with openapi-core: does it read from each what was meant?

Usage: openapi_core.py REQUESTS, a file of JSON lines. Prints a table, the disagreements, and the numbers as JSON.
"""

import base64
import collections
import json
import pathlib
import signal
import sys
import warnings
from urllib.parse import parse_qsl, unquote, urlsplit

# This script has the name of the package: its own folder must not be the first to be searched.
HERE = pathlib.Path(__file__).resolve().parent
sys.path = [entry for entry in sys.path if pathlib.Path(entry or ".").resolve() != HERE]

from jsonschema_path.readers import FilePathReader  # noqa: E402
from openapi_core import Config, OpenAPI  # noqa: E402
from openapi_core.datatypes import RequestParameters  # noqa: E402
from openapi_core.templating.paths.exceptions import PathError, PathNotFound  # noqa: E402
from openapi_core.templating.paths.finders import APICallPathFinder  # noqa: E402
from werkzeug.datastructures import Headers, ImmutableMultiDict  # noqa: E402

SHOWN = 30
SECONDS_PER_OPERATION = 10
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
READABLE = {
    "application/json",
    "application/vnd.api+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/plain",
}


class TooLong(Exception):
    pass


class Parameters(RequestParameters):
    """Openapi-core cuts the values of a path out of the URL as it is; a web framework would have decoded them."""

    def __setattr__(self, name, value):
        if name == "path":
            value = {key: unquote(text) for key, text in value.items()}
        super().__setattr__(name, value)


class Request:
    def __init__(self, offer, decode_path=False):
        url = urlsplit(offer["url"])
        headers = Headers([tuple(pair) for pair in offer["headers"]])
        cookies = [pair.partition("=")[::2] for pair in headers.get("Cookie", "").split("; ") if pair]
        self.host_url = f"{url.scheme}://{url.netloc}"
        self.path = unquote(url.path) if decode_path else url.path
        self.method = offer["method"].lower()
        self.body = base64.b64decode(offer["body"]) if offer["body"] is not None else None
        self.content_type = offer["media_type"] or ""
        self.parameters = Parameters(
            query=ImmutableMultiDict(parse_qsl(url.query, keep_blank_values=True)),
            header=headers,
            cookie=ImmutableMultiDict((name, unquote(value)) for name, value in cookies),
        )


def load(path, base):
    """The document with the server that the requests go to. Who may call is not judged here: no security."""
    document, _ = FilePathReader(path).read()
    document["servers"] = [{"url": base}]
    document.pop("security", None)
    for item in document.get("paths", {}).values():
        if not isinstance(item, dict):
            continue  # An extension.
        item.pop("servers", None)
        for method in METHODS:
            if isinstance(item.get(method), dict):
                item[method].pop("servers", None)
                item[method].pop("security", None)
    return OpenAPI.from_dict(document, config=Config(spec_validator_cls=None))


def beyond(row):
    """Why openapi-core cannot read a parameter at all, whoever wrote the request."""
    style, explode, value = row["style"], row["explode"], row["value"]
    if row["in"] == "querystring":
        return "querystring"
    if row["in"] == "body" or row["content"]:
        return None
    if style in ("matrix", "label"):
        return f"style {style}: it wants the template to be written as in RFC 6570"
    if style in ("spaceDelimited", "pipeDelimited", "tabDelimited") and (explode or style != "pipeDelimited"):
        return f"style {style}, explode {explode}"
    if style in ("form", "cookie") and explode and isinstance(value, dict):
        return "style form, explode true of an object: it looks for the name of the parameter"
    if style == "deepObject" and (
        not isinstance(value, dict) or any(isinstance(member, (dict, list)) for member in value.values())
    ):
        return "style deepObject, of more than one level"
    return None


def same(meant, read):
    """Whether what was read is what was meant; what became a date, a UUID or bytes is not compared."""
    if isinstance(meant, dict):
        if not hasattr(read, "get"):
            return not isinstance(read, (str, int, float, list))
        return all(value is None or (key in read and same(value, read[key])) for key, value in meant.items())
    if isinstance(meant, list):
        return isinstance(read, list) and len(meant) == len(read) and all(map(same, meant, read))
    if isinstance(read, (str, int, float, bool)) and meant is not None:
        return meant == read or str(meant) == str(read) or base64.b64encode(str(read).encode()).decode() == meant
    return not isinstance(read, (dict, list)) or meant is None


def told(error):
    """An error with its causes, down to what the schema says."""
    parts, name = [], None
    while error is not None and len(parts) < 4:
        name = type(error).__name__
        first = next(iter(getattr(error, "schema_errors", ())), None)
        parts.append(f"{name}: {first.message if first is not None else error}"[:300])
        error = error.__cause__
    return " < ".join(parts)


def excuse(error):
    """Why an error says nothing of the request."""
    causes = []
    while error is not None:
        causes.append(error)
        error = error.__cause__
    for cause in causes:
        if type(cause).__name__ == "FormatterNotFoundError":
            return "it refuses a format that it does not know"
    if getattr(causes[0], "location", None) == "header":
        if causes[0].name.lower() in ("accept", "content-type", "authorization"):
            return "a header parameter that has to be ignored: Accept, Content-Type, Authorization"
    return None


def taken_for(api, offer):
    """The template that openapi-core finds for the URL; several may fit."""
    request = Request(offer)
    try:
        return APICallPathFinder(api.spec).find(request.method, request.host_url + request.path).path_result.pattern
    except PathError:
        return None


def verdict(api, offer):
    if "#" in offer["path"] or "?" in offer["path"]:
        return "unjudged", "a template with a fragment or a query, which no URL's path can match"
    kind, why = read_back(api, offer)
    if kind == "disagreed" and taken_for(api, offer) not in (None, offer["path"]):
        return "unjudged", "several templates fit the URL, it took another"
    return kind, why


def read_back(api, offer):
    media_type = (offer["media_type"] or "").partition(";")[0].strip().lower()
    cannot = [why for why in map(beyond, offer["given"]) if why]
    if media_type and media_type not in READABLE:
        cannot.append(f"media type {media_type}")
    result = api.unmarshal_request(Request(offer))
    if any(isinstance(error, PathNotFound) for error in result.errors):
        result = api.unmarshal_request(Request(offer, decode_path=True))
    names = {row["name"] for row in offer["given"] if beyond(row)}
    errors = [error for error in result.errors if getattr(error, "name", None) not in names]
    if media_type and media_type not in READABLE:
        errors = [error for error in errors if "Body" not in type(error).__name__]
    excuses = [excuse(error) for error in errors]
    if errors and all(excuses):
        return "unjudged", excuses[0]
    if errors:
        return "disagreed", told(errors[excuses.index(None)])
    for row in offer["given"]:
        if row["in"] not in ("path", "query", "header", "cookie") or beyond(row):
            continue
        if row["value"] is None or row["value"] in ([], {}):
            continue  # Nothing is written for it.
        read = getattr(result.parameters, row["in"]) if result.parameters else {}
        if row["name"] not in read:
            return "disagreed", f"Unread: {row['in']} {row['name']} ({row['style']}, {row['explode']})"
        if not same(row["value"], read[row["name"]]):
            return "disagreed", f"Misread: {row['in']} {row['name']}: {read[row['name']]!r}, not {row['value']!r}"[:300]
    if not cannot and media_type in ("application/json", "application/x-www-form-urlencoded"):
        for row in offer["given"]:
            if row["in"] == "body" and row["name"] is not None and isinstance(result.body, dict):
                read = result.body.get(row["name"])
                if row["value"] not in (None, [], {}) and not same(row["value"], read):
                    return "disagreed", f"Misread: body {row['name']}: {read!r}, not {row['value']!r}"[:300]
    return ("unjudged", cannot[0]) if cannot else ("agreed", "")


def main():
    warnings.simplefilter("ignore")

    def interrupt(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, interrupt)
    counts, reasons, shown = collections.Counter(), collections.Counter(), []
    apis = {}
    for line in open(sys.argv[1], encoding="utf-8"):
        offer = json.loads(line)
        document = offer["document"]
        try:
            signal.alarm(60)
            if document not in apis:
                apis = {document: load(document, offer["base"])}
            signal.alarm(SECONDS_PER_OPERATION)
            kind, why = verdict(apis[document], offer)
        except TooLong:
            kind, why = "unjudged", "it takes too long"
        except Exception as error:  # Whatever it fails with, it has not judged.
            kind, why = "unjudged", f"it fails: {type(error).__name__}: {str(error)[:120]}"
        finally:
            signal.alarm(0)
        counts[kind] += 1
        if kind == "disagreed":
            place = "/".join(pathlib.Path(document).parts[-2:])
            reasons[kind, why.partition(":")[0] + " < " + why.rpartition(" < ")[2].partition(":")[0]] += 1
            shown.append(f"  {place} {offer['method']} {offer['path']}\n    {offer['url'][:300]}\n    {why}")
        elif kind == "unjudged":
            reasons[kind, why[:100]] += 1
    total = sum(counts.values())
    agreed, disagreed, unjudged = counts["agreed"], counts["disagreed"], counts["unjudged"]
    print(f"openapi-core: {total} operations, {agreed} agree, {disagreed} disagree, {unjudged} not judged")
    for (kind, why), count in sorted(reasons.items(), key=lambda item: (item[0][0], -item[1])):
        print(f"  {count:5} {kind:9} {why}")
    print("\n".join(shown[:SHOWN]))
    print(json.dumps({"agreed": agreed, "disagreed": disagreed, "unjudged": unjudged}))


main()
