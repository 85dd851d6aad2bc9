{{- /* The pod of the Deployment and of the StatefulSet. */ -}}
{{- define "allowance.pod" -}}
metadata:
  labels:
    {{- include "allowance.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    {{- if .Values.metrics.annotations }}
    prometheus.io/scrape: "true"
    prometheus.io/port: "3000"
    prometheus.io/path: /metrics
    {{- end }}
    {{- with .Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "allowance.serviceAccount" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: 40
  {{- if not .Values.database.urlSecret.name }}
  # When PostgreSQL is killed, its processes are left to the first one of the pod, which must reap them. Node.js does not.
  shareProcessNamespace: true
  {{- end }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    # The user `node` of the image. initdb wants a user that the image knows.
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    # PostgreSQL refuses a folder that a later mount has opened to the group.
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: allowance
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      ports:
        - { name: http, containerPort: 3000 }
      env: {{- include "allowance.environment" . | trim | nindent 8 }}
      {{- if .Values.maintenance }}
      # It ends at SIGTERM, which the first process of a container does only when it listens for it.
      command: [node, --eval, "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 60_000)"]
      {{- else }}
      {{- if .Values.database.urlSecret.name }}
      # Proxies hear that a pod ends while it ends. Until they have heard, it still serves. One that is alone ends at once.
      lifecycle: { preStop: { exec: { command: [sleep, "5"] } } }
      {{- end }}
      # The first start makes the database and its tables; a later one may have to recover it.
      startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 150 }
      # A pod is not replaced because its database is away.
      livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
      readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 5, timeoutSeconds: 5 }
      {{- end }}
      resources: {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: data, mountPath: /data }
        {{- if not .Values.database.urlSecret.name }}
        - { name: shared-memory, mountPath: /dev/shm }
        {{- end }}
  volumes:
    - { name: tmp, emptyDir: {} }
    {{- if .Values.database.urlSecret.name }}
    - { name: data, emptyDir: {} }
    {{- else }}
    - { name: shared-memory, emptyDir: { medium: Memory, sizeLimit: {{ .Values.database.embedded.sharedMemory }} } }
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
