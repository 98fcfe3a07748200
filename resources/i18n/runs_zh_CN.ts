<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>RunsPage</name>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n 个正在运行</numerusform>
        </translation>
    </message>
    <message>
        <source>New training script</source>
        <translation>新建训练脚本</translation>
    </message>
    <message>
        <source>Nothing has run yet</source>
        <translation>还没有运行记录</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Write a training script first; its test run and its training then stand here, with log and curves, and a training goes on when this window is closed.</source>
        <translation>请先编写训练脚本；之后其试运行和训练会显示在这里，附有日志和曲线。关闭窗口后训练仍会继续。</translation>
    </message>
</context>
</TS>
