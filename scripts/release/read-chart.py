# Renders a chart with Helm's own code and holds the manifests against the schemas of Kubernetes. Reads {"chart": path, "cases": {name: values}}
# from standard input, and prints {"lint": [message], "cases": {name: {"manifests": [...], "problems": [...]} or {"refused": text}}}.
import json
import sys

import helm_python as helm
import kubernetes_validate
import yaml

KUBERNETES = "1.30"

request = json.load(sys.stdin)


def check(manifest):
    group = manifest["apiVersion"].split("/")[0]
    # The schemas are those of Kubernetes itself: they know nothing of the Prometheus operator.
    if group == "monitoring.coreos.com":
        return []
    try:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
        return []
    except Exception as problem:
        return [f"{manifest['kind']}: {problem}"]


def render(chart, values):
    try:
        # Rendering alone, as the library does it, does not ask the schema.
        chart.validate_schema(chart.merge_values(values))
        rendered = chart.render(values, name="muster", namespace="games")
    except helm.HelmError as problem:
        return {"refused": str(problem)}
    documents = [yaml.safe_load_all(text) for path, text in rendered.items() if path.endswith(".yaml")]
    manifests = [each for document in documents for each in document if each]
    return {"manifests": manifests, "problems": [p for each in manifests for p in check(each)]}


lint = helm.lint(request["chart"], strict=True)
with helm.Chart.load(request["chart"]) as chart:
    cases = {name: render(chart, values) for name, values in request["cases"].items()}
json.dump({"lint": [m for m in lint["messages"] if m["severity"] > 1] + lint["errors"], "cases": cases}, sys.stdout, default=str)
