{{- define "muster.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "muster.selectorLabels" -}}
app.kubernetes.io/name: muster
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "muster.labels" -}}
{{ include "muster.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "muster.image" -}}
{{- with .Values.image.digest -}}
{{ $.Values.image.repository }}@{{ . }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end -}}

{{/* The profile "restricted" of Kubernetes' Pod Security Standards. */}}
{{- define "muster.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "muster.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* The settings of the service. */}}
{{- define "muster.settings" -}}
{{- $secret := .Values.auth.existingSecret | quote }}
{{- if .Values.auth.jwksUrl }}
- { name: AUTH_JWKS_URL, value: {{ .Values.auth.jwksUrl | quote }} }
{{- else }}
- name: AUTH_JWT_SECRET
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ .Values.auth.jwtSecretKey | quote }} } }
{{- with .Values.auth.jwtPreviousSecretKey }}
- name: AUTH_JWT_SECRET_PREVIOUS
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . | quote }} } }
{{- end }}
{{- end }}
{{- with .Values.auth.issuer }}
- { name: AUTH_ISSUER, value: {{ . | quote }} }
{{- end }}
{{- with .Values.auth.audience }}
- { name: AUTH_AUDIENCE, value: {{ . | quote }} }
{{- end }}
- name: ACCOUNTS_SECRET
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ .Values.auth.accountsSecretKey | quote }} } }
{{- with .Values.auth.oidcClientSecretKey }}
- name: OIDC_CLIENT_SECRET
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . | quote }} } }
{{- end }}
- { name: HOST, value: "0.0.0.0" }
- { name: PORT, value: "3000" }
- { name: METRICS_PORT, value: {{ .Values.metrics.port | quote }} }
{{- with .Values.publicUrl }}
- { name: PUBLIC_URL, value: {{ . | quote }} }
- { name: TRUST_PROXY, value: {{ $.Values.trustProxy | quote }} }
{{- end }}
{{- range $name, $value := .Values.settings }}
{{- /* Helm reads a number of a file as a float, which it would write as 1e+06. */}}
- { name: {{ $name }}, value: {{ ternary $value ($value | int64) (kindIs "string" $value) | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The variable by which Node.js also trusts the authorities of caBundle. */}}
{{- define "muster.trust" -}}
{{- if or .Values.caBundle.existingConfigMap .Values.caBundle.existingSecret }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/muster/ca/ca.pem }
{{- end }}
{{- end -}}

{{- define "muster.volumeMounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if or .Values.caBundle.existingConfigMap .Values.caBundle.existingSecret }}
- { name: ca, mountPath: /etc/muster/ca, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "muster.volumes" -}}
- { name: data, emptyDir: { sizeLimit: 16Mi } }
- { name: tmp, emptyDir: { sizeLimit: 256Mi } }
{{- $items := list (dict "key" .Values.caBundle.key "path" "ca.pem") }}
{{- with .Values.caBundle.existingConfigMap }}
- { name: ca, configMap: { name: {{ . | quote }}, items: {{ toJson $items }} } }
{{- end }}
{{- with .Values.caBundle.existingSecret }}
- { name: ca, secret: { secretName: {{ . | quote }}, items: {{ toJson $items }} } }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Which nodes take the pods of the service and of the migration, and before which others. */}}
{{- define "muster.placement" -}}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Refuses values that contradict each other and that the schema cannot compare. */}}
{{- define "muster.checks" -}}
{{- if and .Values.caBundle.existingConfigMap .Values.caBundle.existingSecret }}
{{- fail "caBundle names a ConfigMap and a Secret: keep one of them." }}
{{- end }}
{{- with (.Values.resources.limits).memory }}
{{- $memory := kindIs "float64" . | ternary (int64 .) . | toString }}
{{- $workers := ($.Values.settings).WORKERS | default 1 | int }}
{{- $amount := $memory | regexFind "^[0-9.]+" }}
{{- $unit := $memory | trimPrefix $amount }}
{{- $units := dict "" 1.0 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 }}
{{- if not (and $amount (hasKey $units $unit)) }}
{{- fail (printf "resources.limits.memory is %s: write it in Mi or Gi, such as %dGi." $memory $workers) }}
{{- end }}
{{- if lt (mulf (float64 $amount) (get $units $unit)) (mulf 1e9 $workers) }}
{{- fail (printf "resources.limits.memory is %s, too little for %d process(es) of settings.WORKERS, each of which needs 1 GB: set it to %dGi or more, and multiply resources.requests as well." $memory $workers $workers) }}
{{- end }}
{{- end }}
{{- end -}}
