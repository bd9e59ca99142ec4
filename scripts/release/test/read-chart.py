# Renders a chart with Helm's own code and holds the manifests against the schemas of Kubernetes. Reads {"chart": path, "running": pods,
# "cases": {name: values}} from standard input, where "running" are the pods of the release that is upgraded, and prints
# {"lint": [message], "cases": {name: {"manifests": [...], "problems": [...]} or {"refused": text}}}.
import http.server
import json
import sys
import threading

import helm_python as helm
import kubernetes_validate
import yaml

KUBERNETES = "1.30"

request = json.load(sys.stdin)


def check(manifest):
    group = manifest["apiVersion"].split("/")[0]
    # The schemas are those of Kubernetes itself: they know nothing of the Prometheus operator and the Gateway API.
    if group in ("monitoring.coreos.com", "gateway.networking.k8s.io"):
        return []
    try:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
        return []
    except Exception as problem:
        return [f"{manifest['kind']}: {problem}"]


class Cluster(http.server.BaseHTTPRequestHandler):
    """All that a chart may ask for as it is rendered."""

    ANSWERS = {
        "/apis/apps/v1": {
            "kind": "APIResourceList",
            "groupVersion": "apps/v1",
            "resources": [{"name": "deployments", "kind": "Deployment", "namespaced": True, "verbs": ["get"]}],
        },
        "/apis/apps/v1/namespaces/games/deployments/muster": {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "spec": {"replicas": request["running"]},
        },
    }

    def do_GET(self):
        answer = self.ANSWERS.get(self.path.split("?")[0])
        self.send_response(200 if answer else 404)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        pass


def connect():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Cluster)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    cluster = {"name": "c", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}
    context = {"name": "c", "context": {"cluster": "c"}}
    settings = {"clusters": [cluster], "contexts": [context], "current-context": "c"}
    return helm.Config(namespace="games", kubeconfig_content=json.dumps(settings), storage_driver="memory")


def render(cluster, chart, values):
    try:
        # Rendering alone, as the library does it, does not ask the schema.
        chart.validate_schema(chart.merge_values(values))
        rendered = cluster.render(chart, values, name="muster", namespace="games")
    except helm.HelmError as problem:
        return {"refused": str(problem)}
    documents = [yaml.safe_load_all(text) for path, text in rendered.items() if path.endswith(".yaml")]
    manifests = [each for document in documents for each in document if each]
    return {"manifests": manifests, "problems": [p for each in manifests for p in check(each)]}


lint = helm.lint(request["chart"], strict=True)
with connect() as cluster, helm.Chart.load(request["chart"]) as chart:
    cases = {name: render(cluster, chart, values) for name, values in request["cases"].items()}
json.dump({"lint": [m for m in lint["messages"] if m["severity"] > 1] + lint["errors"], "cases": cases}, sys.stdout, default=str)
